/** Types of saved facts: facts about the embedding models of an index, and results computed from its links. */

/** An embedding model. `of`: number of passages that it must embed; `embedded`: how many of these have a vector. */
export interface ModelFacts {
  readonly model: string;
  readonly embedded: number;
  readonly of: number;
}

/** By stamp of a model's files (`Embedder.stamp`): the identity that was computed from them. */
export type ModelStamps = Readonly<Record<string, string>>;

/** A text without a vector, and the key under which the vector will be stored. */
export interface MissingText {
  readonly key: string;
  readonly text: string;
}

/** `texts`: number of texts without a vector; `characters`: number of their characters; `of`: number of all texts. */
export type MissingCount = Readonly<Record<'texts' | 'characters' | 'of', number>>;

/** Facts that an index stores about its links and models. `IndexState` has the name and identity of the first model. */
export interface SavedState {
  /** The multilingual model; also the former model, until the current models have all vectors. `name` is as in the settings. */
  readonly otherModels: readonly { readonly name: string; readonly model: string }[];
  /** The models of the index whose files were hashed. */
  readonly modelStamps: ModelStamps;
  /** Document numbers of the documents that are not in English. */
  readonly otherLanguages: readonly number[];
  /** The rules by which `otherLanguages` was found, and the highest document number examined. */
  readonly languagesSource: { readonly rules: string; readonly upTo: number };
  /** The mean vector of `PLAIN_QUESTIONS`, made by the multilingual model `model`. */
  readonly plainQuestions: { readonly model: string; readonly mean: readonly number[] };
  /** Whether a run has already recommended another model. */
  readonly modelAdvised: boolean;
  readonly linkEdges: LinkEdges;
  readonly communities: SavedCommunities;
  /** Places of documents on the map; absent until a map is made. The links may be newer. Removed documents are left out. */
  readonly layout: SavedLayout;
  /** The rules and documents from which edges and communities were computed. */
  readonly linksSource: string;
}

/** Links between documents, by document numbers. */
export interface LinkEdges {
  /** Four numbers per edge: from, to, weight of the strongest link, number of links. */
  readonly linked: readonly number[];
  /** Two numbers per broken link: its document, and its place among the links of the document. */
  readonly broken: readonly number[];
}

/** Communities of linked documents, and the hash of the links they were computed from. */
export interface SavedCommunities {
  /** Hash of all links between documents. */
  readonly edges: string;
  /** Members of each community as document ids, because a document gets a new number if it is read again. */
  readonly members: readonly (readonly string[])[];
}

/** Places of linked documents on the map, and the hash of the links they were computed from. */
export interface SavedLayout {
  /** Hash of all links between documents, as in `SavedCommunities`. */
  readonly edges: string;
  readonly ids: readonly string[];
  /** Two numbers per document, x and y, in the order of `ids`. */
  readonly places: readonly number[];
}
