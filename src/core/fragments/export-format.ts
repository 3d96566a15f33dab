/** Names of the files of an export, and types of the files that are not fragments of the index. */
import type { FragmentKind } from './facts.ts';

/** The only file whose content may change while its name stays the same. It names the folders of the other files. */
export const START_FILE = 'start.json';
const FORMATS = 'docfuse-export-';
export const EXPORT_FORMAT = `${FORMATS}6` as const;
/** Whether `format` is the format of an export, of this version or another. */
export const isFormat = (format: unknown) => typeof format === 'string' && format.startsWith(FORMATS);

export interface ExportStart {
  readonly format: typeof EXPORT_FORMAT;
  /** Folder of the data; its name changes with its content. */
  readonly data: string;
  readonly documents: number;
  readonly passages: number;
  /** Number of passages in a fragment of texts. */
  readonly textsEach: number;
  readonly extensions: readonly string[];
  readonly collections: readonly { readonly name: string; readonly documents: number }[];
  /** When the index was last brought up to date, ISO 8601. */
  readonly updated?: string;
  /** Absent from an export without vectors. */
  readonly meaning?: ExportMeaning;
}

/** How an embedding model takes texts, and what its vectors are made of. */
export interface ModelProfile {
  readonly queryPrefix: string;
  readonly passagePrefix: string;
  /** How token vectors are combined into one; ignored if the model's output is already pooled. */
  readonly pooling: 'mean' | 'cls';
  /** Longest input in tokens, special tokens included; the rest of a text is cut off. */
  readonly maxTokens: number;
  /** Layers after the pooling, such as `2_Dense`. The model file contains them only if its output is already pooled. */
  readonly layers: readonly string[];
  /** Length to which vectors are cut, before they become unit vectors. @default the model's own length */
  readonly dimensions?: number | undefined;
}

/** What search by meaning needs besides the data. */
export interface ExportMeaning {
  /** Folder of the worker, the runtime and the model; its name changes with its content. */
  readonly folder: string;
  readonly model: string;
  readonly dimensions: number;
  readonly padId: number;
  readonly profile: ModelProfile;
  /** Number of files of each part. A part is compressed, then split into files. */
  readonly parts: Readonly<Record<ModelPart, number>>;
  /** Size of everything that a browser loads to search by meaning, vectors included. */
  readonly bytes: number;
}

export const MODEL_PARTS = ['runtime', 'model', 'tokenizer'] as const;
export type ModelPart = (typeof MODEL_PARTS)[number];
export const WORKER_FILE = 'worker.js';
export const modelFile = (part: ModelPart, number: number) => `${part}-${number}`;

/** Names of files in the folder of the data. All are compressed with deflate, without a header. */
export const FACTS_FILE = 'facts';
export const TAGS_FILE = 'tags';
/** The answer of the operation `map`. Absent if no document is linked with another one. */
export const MAP_FILE = 'map';
export const fragmentFile = (kind: FragmentKind, number: number) => `${kind}/${number}`;
export const listFile = (order: string, number: number) => `lists/${order}-${number}`;
/** The id of the first document in each file of the list that is sorted by path. */
export const LIST_STARTS_FILE = 'lists/starts';
export const linksFile = (number: number) => `links/${number}`;
/** The links that ranking follows. The file exists only in an export with vectors. */
export const NEIGHBOURS_FILE = 'neighbours';

/** Number of documents in a file of a list, and in a file of links. */
export const LISTED_EACH = 200;
export const LINKED_EACH = 50;

/** A document and its links: for each linked document, its number in the export and the weight of the link. */
export interface DocumentNeighbours {
  readonly id: string;
  readonly links: readonly (readonly [number, number])[];
}

/** The links of one document. A linked document has the form in which the operation `related` returns it. */
export interface DocumentLinks<Linked> {
  /** Number of linked documents; `linked` has the first of them. */
  readonly count: number;
  readonly linked: readonly Linked[];
}
