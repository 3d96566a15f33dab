/** What a program sees of the documents of an index: the shapes of reading, listing and relating them. */
import type { LinkKind } from '../../core/model/document.ts';
import type { Filters } from '../filters.ts';

/** Which document is meant, and how to show it. */
export interface DocumentName {
  /** `<collection>/<path>`. */
  readonly documentId: string;
  readonly collection: string;
  /** Relative to the root of its collection, with `/`. */
  readonly path: string;
  readonly title: string;
}

export interface DocumentFacts extends DocumentName {
  readonly tags: readonly string[];
  /** Front matter date if present, else file time; ISO 8601, UTC. */
  readonly modified: string;
  readonly frontMatter: Readonly<Record<string, unknown>>;
  readonly chunks: number;
  /** Links to other documents. */
  readonly linksOut: number;
  /** Links of other documents to this one. */
  readonly linksIn: number;
}

export interface ReadOptions {
  /** First line wanted, 1-based, as in the file. @default the first line after the front matter */
  readonly startLine?: number;
  /** Last line wanted, inclusive. @default the last line */
  readonly endLine?: number;
  /** At most so many UTF-16 units, in whole lines if one fits. @default no limit */
  readonly maxChars?: number;
  /** Ends the work; the promise rejects with its reason. */
  readonly signal?: AbortSignal;
}

/** Text of a document, or lines of it, as it was when it was last indexed; front matter is in `frontMatter`. */
export interface DocumentText extends DocumentFacts {
  /** Whole lines with LF between them and none at the end. */
  readonly text: string;
  /** Lines of the file that `text` holds, 1-based and inclusive. */
  readonly startLine: number;
  readonly endLine: number;
  /** Last line of the document. */
  readonly lastLine: number;
  /** `maxChars` cut the text; it goes on after `endLine`. */
  readonly truncated: boolean;
}

export const LINK_DIRECTIONS = ['out', 'in', 'both'] as const;
export type LinkDirection = (typeof LINK_DIRECTIONS)[number];

export interface RelatedOptions {
  /** Links to follow from the document, 1–3. @default 1 */
  readonly depth?: number;
  /** `out`: where it links to; `in`: what links to it. @default 'both' */
  readonly direction?: LinkDirection;
  /** Ends the work; the promise rejects with its reason. */
  readonly signal?: AbortSignal;
}

export interface LinkedDocument extends DocumentName {
  /** Links between the two, 1–3. */
  readonly distance: number;
  /** The links of the last step that lead here. */
  readonly links: readonly {
    /** `in`: the found document holds the link. */
    readonly direction: 'out' | 'in';
    readonly kind: LinkKind;
    /** Id of the document that holds the link, and its line there. */
    readonly source: string;
    readonly line: number;
  }[];
}

export interface RelatedDocuments {
  readonly document: DocumentFacts;
  /** Nearest first, then those with the most links; at most 100. */
  readonly linked: readonly LinkedDocument[];
  /** How many there are. */
  readonly linkedCount: number;
  /** The group of documents that link to each other more than to others; absent for a document in none. */
  readonly community?: {
    readonly documents: number;
    /** The best linked others, at most 10. */
    readonly members: readonly DocumentName[];
  };
  /** Documents with a passage of nearly the same meaning, at most 5, best first; `similarity` is a cosine. */
  readonly similar: readonly (DocumentName & { readonly similarity: number })[];
  /** Why nothing similar could be looked for. */
  readonly notice?: string;
}

export const LIST_ORDERS = ['path', 'title', 'date'] as const;
export type ListOrder = (typeof LIST_ORDERS)[number];

export interface ListOptions {
  /** Which to list. @default all */
  readonly filters?: Filters;
  /** By id, by title, or the newest first. @default 'path' */
  readonly sort?: ListOrder;
  /** Documents at once, 1–1,000,000. @default 50 */
  readonly limit?: number;
  /** `nextCursor` of the answer before, in the same order. @default from the first on */
  readonly cursor?: string;
  /** Ends the work; the promise rejects with its reason. */
  readonly signal?: AbortSignal;
}

export interface DocumentList {
  /** In the order asked for. */
  readonly documents: readonly DocumentFacts[];
  /** How many pass the filters. */
  readonly total: number;
  /** Absent at the end. */
  readonly nextCursor?: string;
  /** Why there are none, and what was perhaps meant. */
  readonly notice?: string;
}

export interface TagOptions {
  /** Of which documents. @default of all */
  readonly filters?: Filters;
  /** Ends the work; the promise rejects with its reason. */
  readonly signal?: AbortSignal;
}

export interface GraphOptions {
  /** Which documents to show. @default all */
  readonly filters?: Filters;
  /** Documents, the best linked first, 1–5000. @default 500 */
  readonly limit?: number;
  /** Ends the work; the promise rejects with its reason. */
  readonly signal?: AbortSignal;
}

/** Documents and the links among them. */
export interface DocumentGraph {
  /** `neighbours`: linked documents in either direction; `community`: its number, 0 for the largest. */
  readonly nodes: readonly (DocumentName & { readonly neighbours: number; readonly community?: number })[];
  /** Every linked pair once, by id, with the weight of its strongest link, 0–1. */
  readonly edges: readonly { readonly source: string; readonly target: string; readonly weight: number }[];
  /** How many documents pass the filters. */
  readonly total: number;
}

export interface TagCount {
  readonly tag: string;
  readonly documents: number;
}

export interface CollectionFacts {
  readonly name: string;
  /** Absolute path of the folder or file. */
  readonly root: string;
  readonly documents: number;
}
