/** Loads the files of an export, and opens its index. */
import {
  createFragmentIndex,
  type FragmentIndex,
  type FragmentIndexOptions,
} from '../../../core/fragment-index.ts';
import {
  EXPORT_FORMAT,
  type ExportStart,
  FACTS_FILE,
  fragmentFile,
  LISTED_EACH,
  listFile,
  START_FILE,
} from '../../../core/fragments/export-format.ts';
import type { CollectionFacts } from '../../../core/fragments/facts.ts';
import { type ShownDocument, toCatalogDocument } from '../../../core/fragments/text-fragment.ts';
import { chooseAnalyzers } from '../../../core/text/analyzer.ts';

export interface SiteData {
  readonly start: ExportStart;
  readonly passages: readonly number[];
  readonly index: FragmentIndex;
  json<T>(path: string): Promise<T>;
  /** Reads documents in one of the orders of the list, by their places in it: start inclusive, end exclusive. @default all of them */
  list(order: string, from?: number, to?: number): Promise<readonly ShownDocument[]>;
}

/** Loads what search by meaning needs. */
type LoadMeaning = (facts: CollectionFacts) => Promise<Pick<FragmentIndexOptions, 'meaning' | 'model'>>;

/**
 * @param base address of the folder of the export, with `/` at its end
 * @param given the start file, if it is loaded already
 */
export async function openSite(
  base: string,
  given?: ExportStart,
  loadMeaning?: LoadMeaning,
): Promise<SiteData> {
  // Ask the server for the newest start file: its name stays the same when an export is renewed. Other files get new names.
  const start: ExportStart =
    given ?? (await load(`${base}${START_FILE}`, { cache: 'no-cache' }).then((each) => each.json()));
  if (start.format !== EXPORT_FORMAT) throw new Error('The export has another format than this script.');
  const known = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

  function read(path: string): Promise<Uint8Array<ArrayBuffer>> {
    const found = known.get(path) ?? inflate(`${base}${start.data}/${path}`);
    known.set(path, found);
    found.catch(() => known.delete(path));
    return found;
  }
  async function json<T>(path: string): Promise<T> {
    return JSON.parse(new TextDecoder().decode(await read(path))) as T;
  }
  async function list(order: string, from = 0, to = start.documents): Promise<readonly ShownDocument[]> {
    const end = Math.min(to, start.documents);
    const first = Math.floor(from / LISTED_EACH);
    const parts = Array.from({ length: Math.ceil(end / LISTED_EACH) - first }, (_, index) =>
      json<ShownDocument[]>(listFile(order, first + index)),
    );
    return (await Promise.all(parts)).flat().slice(from - first * LISTED_EACH, end - first * LISTED_EACH);
  }

  const facts = await json<CollectionFacts>(FACTS_FILE);
  const index = createFragmentIndex({
    ...(await loadMeaning?.(facts)),
    facts,
    textsEach: start.textsEach,
    extensions: new Set(start.extensions),
    analyzers: chooseAnalyzers(),
    clock: { now: Date.now, monotonic: () => performance.now() },
    // Uses `inflate` instead of `read`: the index keeps decoded fragments, so their bytes need not be kept.
    load: (kind, number) => inflate(`${base}${start.data}/${fragmentFile(kind, number)}`),
    loadDocuments: async () => (await list('path')).map(toCatalogDocument),
  });
  return { start, passages: facts.passages, index, json, list };
}

/** Loads a file of the data and unpacks it. The files are stored compressed, because many servers do not compress them. */
async function inflate(address: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await load(address, {});
  const stream = response.body!.pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Part of the error message if a file could not be loaded. `modelProblem` shows such a message to the reader. */
const NOT_LOADED = 'could not be loaded';

/** @throws Error that names the file */
export async function load(address: string, options: RequestInit): Promise<Response> {
  const response = await fetch(address, options).catch(() => undefined);
  if (response?.ok) return response;
  const status = response ? `: the server answers ${response.status}` : '';
  throw new Error(`The file ${new URL(address).pathname} ${NOT_LOADED}${status}.`);
}

/** Says why search by meaning failed, and what helps. */
export function modelProblem(error: unknown): string {
  const text = String(error);
  if (text.includes(NOT_LOADED)) return `${(error as Error).message} Check the connection and try again.`;
  if (/memory|bad_alloc|RangeError/i.test(text))
    return 'The browser has too little memory for the model. Close other pages and try again.';
  if (/Content Security Policy|CompileError|WebAssembly/i.test(text))
    return "WebAssembly is not allowed here. The policy of the server must have 'wasm-unsafe-eval' for the script of the model.";
  return `The model failed: ${text}`;
}
