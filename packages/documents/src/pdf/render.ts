import { createRequire } from 'node:module';
import type { DocumentModel } from '../model/document.ts';
import { safeDocument, safeLanguage } from '../model/safe.ts';
import { contentNodes, pageFooter, pageHeader } from './definition.ts';
import { FONTS } from './fonts.ts';
import { DEFAULT_STYLE, type Node, PAGE, STYLES } from './node.ts';
import { printable } from './printable.ts';

interface PdfMake {
  setFonts(fonts: typeof FONTS): void;
  setUrlAccessPolicy(allows: (url: string) => boolean): void;
  setLocalAccessPolicy(allows: (path: string) => boolean): void;
  createPdf(definition: object): { getBuffer(): Promise<Buffer> };
}

const pdfmake: PdfMake = createRequire(import.meta.url)('pdfmake');
const fontFiles = new Set<string>(Object.values(FONTS.Roboto));
pdfmake.setFonts(FONTS);
pdfmake.setUrlAccessPolicy(() => false);
pdfmake.setLocalAccessPolicy((path) => fontFiles.has(path));

/**
 * Lays the document out on A4 and writes it, on the calling thread.
 * @param createdAt the only date in the file: the same document and date give the same bytes
 */
export async function renderPdf(document: DocumentModel, createdAt: Date): Promise<Uint8Array> {
  const safe = safeDocument(document);
  const { document: shown, replaced } = printable(safe);
  const definition = {
    pageSize: 'A4',
    pageMargins: [PAGE.side, PAGE.top, PAGE.side, PAGE.bottom],
    version: '1.7',
    displayTitle: true,
    language: safeLanguage(safe.language),
    info: {
      title: safe.title,
      subject: safe.subtitle,
      creator: 'Muster',
      producer: 'Muster',
      creationDate: createdAt,
    },
    header: (page: number) => pageHeader(shown, page),
    footer: (page: number, pages: number) => pageFooter(shown, page, pages),
    content: [...contentNodes(shown), ...missingNote(replaced)],
    styles: STYLES,
    defaultStyle: DEFAULT_STYLE,
  };
  return new Uint8Array(await pdfmake.createPdf(definition).getBuffer());
}

const missingNote = (replaced: number): Node[] =>
  replaced === 0
    ? []
    : [
        {
          text: `${replaced} ${replaced === 1 ? 'character' : 'characters'} could not be shown in print; the HTML form shows them.`,
          style: 'caption',
          margin: [0, 24, 0, 0],
        },
      ];
