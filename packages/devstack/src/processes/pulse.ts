/** How a running child is known to be alive. */
export interface Pulse {
  /** Resolves when it answers; rejects, or says nothing, when it does not. */
  answers: () => Promise<unknown>;
  /** Milliseconds from one question to the next; 3 s unless given. After five without an answer it counts as silent. */
  everyMs?: number;
}

const EVERY_MS = 3_000;
const UNANSWERED = 5;

/** How long a child may be silent, for people. */
export function patience({ everyMs = EVERY_MS }: Pulse): string {
  return `${(everyMs * UNANSWERED) / 1000} s`;
}

/**
 * Waits until a child has fallen silent. It counts questions and not time, which goes on while the machine sleeps.
 * @param signal gives the waiting up: the promise stays open
 */
export function silence({ answers, everyMs = EVERY_MS }: Pulse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let unanswered = 0;
    const timer = setInterval(() => {
      if (unanswered === UNANSWERED) {
        clearInterval(timer);
        return resolve();
      }
      unanswered += 1;
      answers().then(
        () => {
          unanswered = 0;
        },
        () => {},
      );
    }, everyMs);
    signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  });
}
