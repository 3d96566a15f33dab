/** The formats of files that are read by default, and their converters to Markdown. */

/** Names of the converters in `adapters/formats`. */
export type ConverterName = 'asciidoc' | 'html' | 'mail' | 'metadata' | 'notebook' | 'office' | 'org' | 'rst';

export interface FileFormat {
  readonly name: string;
  /** Endings of file names, in lower case and without the dot. */
  readonly extensions: readonly string[];
  /** Whole names of files that have no extension. Such a file is read only if a root or `include` names it. */
  readonly names?: readonly string[];
  /** Absent for a format that is read as Markdown. */
  readonly converter?: ConverterName;
  /** Optional npm packages that the converter needs. */
  readonly packages: readonly string[];
}

const HTML_PACKAGE = 'node-html-markdown';
const OFFICE = { converter: 'office', packages: ['officeparser'] } as const;

/** Each extension occurs once. To add a format, add a row, and a new converter if no existing converter reads the format. */
export const FORMATS: readonly FileFormat[] = [
  { name: 'Markdown', extensions: ['md', 'markdown', 'mdx'], packages: [] },
  { name: 'Plain text', extensions: ['txt'], packages: [] },
  { name: 'reStructuredText', extensions: ['rst'], converter: 'rst', packages: [] },
  { name: 'Org', extensions: ['org'], converter: 'org', packages: [] },
  { name: 'Jupyter notebook', extensions: ['ipynb'], converter: 'notebook', packages: [] },
  { name: 'HTML', extensions: ['html', 'htm', 'xhtml'], converter: 'html', packages: [HTML_PACKAGE] },
  {
    name: 'AsciiDoc',
    extensions: ['adoc', 'asciidoc'],
    converter: 'asciidoc',
    packages: ['@asciidoctor/core', HTML_PACKAGE],
  },
  { name: 'E-mail', extensions: ['eml'], converter: 'mail', packages: ['postal-mime', HTML_PACKAGE] },
  { name: 'PDF', extensions: ['pdf'], ...OFFICE },
  { name: 'Word', extensions: ['docx'], ...OFFICE },
  { name: 'PowerPoint', extensions: ['pptx'], ...OFFICE },
  { name: 'OpenDocument', extensions: ['odt', 'odp'], ...OFFICE },
  { name: 'Rich Text', extensions: ['rtf'], ...OFFICE },
  { name: 'EPUB', extensions: ['epub'], ...OFFICE },
  { name: 'Python package', extensions: [], names: ['METADATA'], converter: 'metadata', packages: [] },
];

const BY_EXTENSION = new Map(
  FORMATS.flatMap((format) => format.extensions.map((extension) => [extension, format])),
);

/** Returns the format of a file by its extension or whole name; undefined if no format has it. */
export function formatOf(path: string): FileFormat | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return BY_EXTENSION.get(extensionOf(name)) ?? FORMATS.find(({ names }) => names?.includes(name));
}

export function extensionOf(path: string): string {
  return /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}

/** Files that a collection reads by default. */
export const READ_FILES: readonly string[] = [...BY_EXTENSION.keys()].map((extension) => `**/*.${extension}`);

/** Why a file is left out. */
export const SKIP_REASONS = [
  'too_large',
  'binary',
  'unreadable',
  'outside_root',
  'broken_link',
  'needs_package',
  'not_converted',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];
