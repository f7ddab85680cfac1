import { MAX_VALUES } from '@muster/contracts';

const OPEN = new Set(['{', '[', ','].map((mark) => mark.charCodeAt(0)));
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** True where JSON holds more values than any body may, told before it is parsed. */
export function holdsTooMuch(json: Uint8Array): boolean {
  let values = 1;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] ?? 0;
    if (byte === QUOTE) at = endOfString(json, at);
    else if (OPEN.has(byte) && ++values > MAX_VALUES * 2) return true;
  }
  return false;
}

function endOfString(json: Uint8Array, open: number): number {
  for (let at = json.indexOf(QUOTE, open + 1); at !== -1; at = json.indexOf(QUOTE, at + 1)) {
    let slashes = 0;
    while (json[at - 1 - slashes] === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return json.length;
}
