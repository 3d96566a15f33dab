/** What every engine of the comparison does, so that all are measured by one loop. */

/** A passage as docfuse cuts it; all engines get the same ones. */
export interface Passage {
  readonly title: string;
  readonly headings: readonly string[];
  readonly text: string;
}

/** Engines that find by words. */
export interface WordCorpus {
  readonly kind: 'words';
  readonly passages: readonly Passage[];
  readonly queries: readonly string[];
}

/** Engines that find the nearest of unit vectors. */
export interface VectorCorpus {
  readonly kind: 'vectors';
  readonly dimensions: number;
  /** One after the other. */
  readonly rows: Float32Array;
  readonly queries: readonly Float32Array[];
}

export interface Built<Query> {
  /** Numbers of the best `k`, best first. */
  search(query: Query, k: number): readonly number[] | Promise<readonly number[]>;
  close?(): void | Promise<void>;
}

export interface Engine<Corpus extends WordCorpus | VectorCorpus> {
  readonly name: string;
  /** What it does that the others do not, or the other way round. */
  readonly note: string;
  /** Package that must be installed, if any. */
  readonly needs?: string;
  /** @param folder empty, for what it keeps on disk */
  build(
    corpus: Omit<Corpus, 'queries'>,
    folder: string,
  ): Built<Corpus['queries'][number]> | Promise<Built<Corpus['queries'][number]>>;
}

/**
 * An optional package of the comparison. Its types are not there when docfuse is checked, because it is not
 * installed with it.
 */
export function load(name: string) {
  return import(name);
}
