const LOOPBACK = new Set(['127.0.0.1', '::1', '[::1]', 'localhost']);

/** Whether a host's name or address, as in a URL or alone, can only mean this machine. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.has(host);
}
