import { childTraceparent } from './trace.ts';

/** A piece of work as traces show it: begun where its parent names it, ended once. */
export interface Span {
  /** What the work hands on, to events, jobs and other services. */
  traceparent: string;
  /** False where nobody collects spans: then only the ids are made. */
  recorded: boolean;
  /** @param outcome.name a better name than the one it began with */
  end(outcome?: { name?: string; error?: unknown }): void;
}

/** @param about.parent the traceparent that the work came with; without a sane one a trace begins */
export type BeginSpan = (about: {
  name: string;
  kind: 'server' | 'consumer';
  parent: string | undefined;
  attributes?: Record<string, string>;
}) => Span;

/** What a process tells of itself beside its log. */
export interface Telemetry {
  begin: BeginSpan;
  /** Sends what has not been sent yet, for a moment at most. */
  stop(): Promise<void>;
}

/** Spans where there is no collector: ids that travel, nothing that is kept. */
export const unrecorded: BeginSpan = ({ parent }) => ({
  traceparent: childTraceparent(parent),
  recorded: false,
  end() {},
});

/** Runs work as a span, which ends as the work does. */
export async function inSpan<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    span.end();
    return result;
  } catch (error) {
    span.end({ error });
    throw error;
  }
}
