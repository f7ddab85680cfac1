/** How many tokens an organization may still spend. Who makes one decides where it is kept. */
export interface TokenBudget {
  /** Sets tokens aside for a call; false when there are not as many left. */
  reserve(tokens: number): boolean | Promise<boolean>;
  /** After the call: what it took, and what had been set aside for it and is free again. */
  spent(tokens: number, reserved: number): void | Promise<void>;
}
