/** True for a host name, as a URL has it, that means this machine; `.localhost` is nobody's in the DNS (RFC 6761). */
export function isLoopback(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
