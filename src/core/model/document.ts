/** The nouns of reading: what a Markdown file says, before it is cut into chunks. */

export type LinkKind = 'wikilink' | 'transclusion' | 'relative' | 'related';

/** A link as written; resolution to a document happens later, against the whole collection. */
export interface Link {
  readonly kind: LinkKind;
  /** The target as written, percent-decoded, without anchor and label. */
  readonly target: string;
  /** `Heading` or `^block`, when the link names one. */
  readonly anchor?: string;
  readonly label?: string;
  /** 1-based line in the file. */
  readonly line: number;
}

export interface CodeBlock {
  /** First word of the info string, lower-cased; empty when there is none. */
  readonly language: string;
  readonly text: string;
  /** 1-based, inclusive lines in the file, fences included. */
  readonly startLine: number;
  readonly endLine: number;
}

/** A run of whole lines the chunker should keep together: a paragraph, a fence, a table, a list item. */
export interface Block {
  readonly kind: 'heading' | 'paragraph' | 'code' | 'table' | 'list' | 'quote' | 'html' | 'rule';
  /** Character offsets into `ParsedDocument.text`: start inclusive, end exclusive. */
  readonly start: number;
  readonly end: number;
}

/** What introduces a list, the rest of a list item or the rows of a table: a sentence or the header row. */
export interface Lead {
  /** Offsets of what it leads to: start inclusive, end exclusive. */
  readonly from: number;
  readonly to: number;
  /** Offsets of the lead itself. */
  readonly start: number;
  readonly end: number;
}

/** A heading and the lines up to the next heading of any level; the preamble has level 0. */
export interface Section {
  /** Headings from the outermost down to this one, without the document title unless it is one of them. */
  readonly headings: readonly string[];
  readonly level: number;
  readonly start: number;
  readonly end: number;
}

export type FrontMatter = Readonly<Record<string, unknown>>;

/**
 * Longest part of a document's field that is searched by words, in UTF-16 units; its text has no limit. Every
 * chunk carries these fields: without a bound, what an index holds would grow with the square of a document's
 * length.
 */
export const MAX_FIELD_LENGTH = 2_000;

/** What retrieval knows of a document besides its chunks. */
export interface DocumentFields {
  readonly title: string;
  readonly description?: string;
  readonly keywords: readonly string[];
  readonly tags: readonly string[];
  readonly aliases: readonly string[];
  readonly author?: string;
  readonly category?: string;
  /** ISO 8601 date or time from the front matter. */
  readonly date?: string;
}

export interface ParsedDocument extends DocumentFields {
  /** Path inside the collection, with `/`, exactly as on disk. */
  readonly path: string;
  /**
   * What a reader sees of the body: everything after the front matter without markup that a rendered page hides, line ends as LF.
   * It has the lines of the file. All offsets count UTF-16 units of it.
   */
  readonly text: string;
  /** 1-based line of the file on which `text` begins. */
  readonly firstLine: number;
  readonly frontMatter: FrontMatter;
  /** Sections in order; together they cover `text` without gap or overlap. */
  readonly sections: readonly Section[];
  /** Blocks in order, never overlapping; the gaps between them are blank lines. */
  readonly blocks: readonly Block[];
  /**
   * Ordered by the start of what they introduce, the outer before the inner; what they introduce nests or is apart.
   */
  readonly leads: readonly Lead[];
  readonly links: readonly Link[];
  readonly codeBlocks: readonly CodeBlock[];
  /** Sentences for the reader: malformed front matter, fields of the wrong type. */
  readonly warnings: readonly string[];
}

/** What filters and answers need of a document without asking the store. */
export interface CatalogDocument {
  readonly number: number;
  /** `<collection>/<path>`. */
  readonly id: string;
  readonly collection: string;
  readonly path: string;
  readonly title: string;
  /** Other names that links may use. */
  readonly aliases?: readonly string[];
  readonly tags: readonly string[];
  readonly category?: string;
  readonly author?: string;
  /** Front matter date if present, else file time; milliseconds since 1970. */
  readonly modified: number;
  readonly frontMatter: Readonly<Record<string, unknown>>;
}

/** What a document is called, for lookups by name: title, aliases, file name without extension; each once. */
export function documentNames({
  title,
  aliases = [],
  path,
}: Pick<CatalogDocument, 'title' | 'aliases' | 'path'>): readonly string[] {
  const file = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '');
  return [...new Set([title, ...aliases, file])];
}

/** Some files and folders of a tree, and everything in those folders. */
export interface PathScope {
  /** Whether a path, with `/`, is one of them or lies in one of them. */
  covers(path: string): boolean;
  /** Whether one of them lies in this folder. */
  leadsInto(folder: string): boolean;
}

/** Files that a collection holds by default. */
export const TEXT_FILES: readonly string[] = ['**/*.md', '**/*.markdown', '**/*.mdx', '**/*.txt', '**/*.rst'];
