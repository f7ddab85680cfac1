const START = 2048;
const DECLARED = [
  /<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w:.-]{2,40})/i,
  /<\?xml[^>]{0,200}encoding\s*=\s*["']([\w:.-]{2,40})["']/i,
];
const PARAMETER = /charset\s*=\s*"?\s*([\w:.-]{2,40})/i;
/** What bytes mean where nobody says and they are no UTF-8: as browsers take it. */
const LAST_RESORT = 'windows-1252';

/**
 * The text that bytes stand for: by their byte order mark, else what the sender says, else what the document says of
 * itself (HTML standard, section 13.2.3), else UTF-8 where they are that.
 */
export function decodeText(bytes: Uint8Array, contentType: string | null): string {
  const label =
    markOf(bytes) ??
    usable(PARAMETER.exec(contentType ?? '')?.[1]) ??
    usable(declaredIn(bytes)) ??
    unmarkedWide(bytes);
  if (label && label !== 'utf-8') return new TextDecoder(label).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder(label ?? LAST_RESORT).decode(bytes);
  }
}

function markOf([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : null;
}

/** The canonical name of a charset; null for one that is not known. */
function usable(label: string | undefined): string | null {
  if (label === undefined) return null;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

/** What a document calls itself cannot be UTF-16, or it could not have been read so far. */
function declaredIn(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, START));
  const label = DECLARED.map((form) => form.exec(start)?.[1]).find((found) => found !== undefined);
  return label && /^utf-?16|^ucs-?2|^iso-10646/i.test(label) ? 'utf-8' : label;
}

/** UTF-16 without a mark: every other byte of plain text is zero. */
function unmarkedWide(bytes: Uint8Array): string | null {
  const start = bytes.subarray(0, START);
  const zeros = (from: number) => start.filter((byte, at) => at % 2 === from && byte === 0).length;
  const most = start.length * 0.35;
  if (start.length < 8) return null;
  if (zeros(1) > most && zeros(0) === 0) return 'utf-16le';
  return zeros(0) > most && zeros(1) === 0 ? 'utf-16be' : null;
}
