import { type Logger, pino } from 'pino';
import { currentTrace } from './trace.ts';

export type { Logger } from 'pino';

/**
 * A service's log: JSON lines on standard output, each with the request and trace it belongs to.
 * error wakes someone; warn is looked at in the morning; info is a fact of operation; debug is for developers.
 */
export function createLog(service: string, level: string): Logger {
  return pino({
    name: service,
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ['authorization', 'cookie', 'token', 'headers.authorization', 'headers.cookie'],
    mixin: () => {
      const trace = currentTrace();
      return trace
        ? { request_id: trace.requestId, trace_id: trace.traceparent.slice(3, 35), org_id: trace.orgId }
        : {};
    },
  });
}
