import { REFUSALS, type RefusalReason } from './refusal.texts.ts';

/** Ends a login; raised inside a transaction, it undoes it. */
export class LoginRefusal extends Error {
  readonly reason: RefusalReason;
  /** For the log: a word that tells more, and no secret. */
  readonly code: string | undefined;

  constructor(reason: RefusalReason, code?: string) {
    super(REFUSALS[reason][1]);
    this.reason = reason;
    this.code = code;
  }
}
