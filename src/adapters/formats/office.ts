/** Converts PDF, Office, OpenDocument, Rich Text and EPUB files to Markdown. For a PDF, returns where pages begin. */
import { OfficeGenerator, OfficeParser, type OfficeParserAST } from 'officeparser';
import type { Convert } from './converted.ts';

const PARSING = {
  ignorePageGeometry: true,
  extractAttachments: false,
  // A PDF needs no process of its own, because the caller already limits time and memory.
  pdfParserConfig: { extractTextColor: false, separateProcess: false },
} as const;

/** First bytes of an OLE container: it holds an encrypted file, or a file in an Office format from before 2007. */
const OLE = Buffer.from('d0cf11e0', 'hex');

export const convert: Convert = async (bytes, extension) => {
  if (OLE.equals(bytes.subarray(0, OLE.length)))
    throw new Error('it is encrypted, or an old .doc, .xls or .ppt file');
  const fileType = extension as 'pdf';
  const parsed = await OfficeParser.parseOffice(Buffer.from(bytes), { fileType, ...PARSING });
  const { title, author, modified } = parsed.metadata;
  const fields = { title, author, date: modified?.toISOString() };
  if (extension !== 'pdf') return { markdown: await markdownOf(parsed, parsed.content), fields };
  const lines: string[] = [];
  const pages: number[] = [];
  for (const page of parsed.content) {
    pages.push(lines.length);
    lines.push(...(await markdownOf(parsed, page.children ?? [])).split('\n'), '');
  }
  if (lines.every((line) => line === '')) throw new Error('it has no text; maybe its pages are pictures');
  return { markdown: lines.join('\n'), fields, pages };
};

/** @param content content of `parsed`, or of one of its pages */
async function markdownOf(parsed: OfficeParserAST, content: OfficeParserAST['content']): Promise<string> {
  const { value } = await OfficeGenerator.generate({ ...parsed, content, metadata: {} }, 'md', {
    includeImages: 'none',
  });
  return String(value)
    .replace(/^(#{1,6} .*?) \{#[^}]*\}$/gm, '$1') // removes ids of headings
    .replace(/<a id="[^"]*"><\/a>/g, '')
    .replace(/\[([^\]\n]*)\]\((?!https?:|mailto:)[^)\n]*\)/g, '$1') // keeps only the text of links to places inside the file
    .replace(/^(\d+)\\\. /gm, '$1. ')
    .trim();
}
