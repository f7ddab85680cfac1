declare module 'html-encoding-sniffer' {
  /** The encoding of bytes by the HTML standard or, with `xml`, by the declaration of XML; else `defaultEncoding`. */
  export default function htmlEncodingSniffer(
    bytes: Uint8Array,
    options: {
      xml?: boolean;
      transportLayerEncodingLabel?: string | undefined;
      defaultEncoding: string;
      maxPrescanBytes?: number;
    },
  ): string;
}
