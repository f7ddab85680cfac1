import htmlEncodingSniffer from 'html-encoding-sniffer';

const START = 2048;
const PARAMETER = /\bcharset\s{0,9}=\s{0,9}"?\s{0,9}([\w:.-]{2,40})/i;
/** What bytes mean where nobody says and they are no UTF-8: as browsers take it. */
const LAST_RESORT = 'windows-1252';

/**
 * The text that bytes stand for: by their byte order mark, else what the sender says, else what the document says of
 * itself (HTML standard, section 13.2.3), else UTF-8 where they are that.
 */
export function decodeText(bytes: Uint8Array, contentType: string | null): string {
  const label = decodable(sniffed(bytes, charsetOf(contentType))) ?? unmarkedWide(bytes);
  if (label && label !== 'utf-8') return new TextDecoder(label).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder(label ?? LAST_RESORT).decode(bytes);
  }
}

/** Empty where neither the bytes nor their sender say. */
function sniffed(bytes: Uint8Array, transportLayerEncodingLabel: string | undefined): string {
  const start = bytes.subarray(0, START);
  const given = { transportLayerEncodingLabel, defaultEncoding: '' };
  const xml = new TextDecoder('latin1').decode(start.subarray(0, 6)).includes('<?xml');
  return htmlEncodingSniffer(start, xml ? { ...given, xml } : { ...given, maxPrescanBytes: START });
}

const charsetOf = (contentType: string | null) => PARAMETER.exec(contentType ?? '')?.[1];

/** The canonical name of a charset; null for one that cannot be decoded. */
function decodable(label: string): string | null {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
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
