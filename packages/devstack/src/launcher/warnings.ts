const WARN = 40;
const WINDOW_MS = 10_000;
const LINES_PER_WINDOW = 5;

/**
 * Makes what watches a service's log lines and passes warnings and errors on in short, a few per ten seconds.
 * Lines are JSON with pino's `level` (40 warning, 50 error, 60 fatal) and `msg`; what is not JSON is a crash speaking.
 * @param report receives `<name> warning: <message>`
 */
export function warnings(
  name: string,
  logFile: string,
  report: (line: string) => void,
): (line: string) => void {
  let windowEnds = 0;
  let shown = 0;
  return (line) => {
    const text = inShort(line);
    if (text === undefined) return;
    if (Date.now() > windowEnds) {
      windowEnds = Date.now() + WINDOW_MS;
      shown = 0;
    }
    shown += 1;
    if (shown <= LINES_PER_WINDOW) report(`${name} ${text}`);
    if (shown === LINES_PER_WINDOW + 1) report(`${name} says more in ${logFile}`);
  };
}

/** What a log line has to say to a person: `warning: …`, `error: …`, or undefined for the ordinary. */
export function inShort(line: string): string | undefined {
  const entry = parsed(line);
  if (entry === undefined)
    return line.startsWith('Error') || /^\w*Error:/.test(line) ? `error: ${line}` : undefined;
  const { level, msg, err } = entry;
  if (typeof level !== 'number' || level < WARN) return undefined;
  const message = [msg, err?.message].filter((part) => typeof part === 'string' && part !== '');
  return `${level < 50 ? 'warning' : 'error'}: ${[...new Set(message)].join(': ').slice(0, 300)}`;
}

function parsed(line: string): { level?: unknown; msg?: unknown; err?: { message?: unknown } } | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === 'object' && entry !== null ? entry : undefined;
  } catch {
    return undefined;
  }
}
