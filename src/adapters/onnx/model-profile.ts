/** What the files of an embedding model do not say: prefixes, pooling and the length it was trained for. */

export interface ModelProfile {
  readonly queryPrefix: string;
  readonly passagePrefix: string;
  /** How token vectors become one; models whose output is pooled already ignore it. */
  readonly pooling: 'mean' | 'cls';
  /** Longest input in tokens, special tokens included; the rest of a text is cut off. */
  readonly maxTokens: number;
}

/** First match on the model's name wins; each row follows the model card. */
const PROFILES: readonly (readonly [RegExp, ModelProfile])[] = [
  [/bge-(small|base|large)-en/i, bge('Represent this sentence for searching relevant passages: ')],
  [/bge-(small|base|large)-zh/i, bge('为这个句子生成表示以用于检索相关文章：')],
  [/bge-/i, bge('')],
  [/(^|[/-])e5-/i, { queryPrefix: 'query: ', passagePrefix: 'passage: ', pooling: 'mean', maxTokens: 512 }],
  [/MiniLM/i, plain(256)],
];

/** The profile of a model whose name is known. */
export function profileOf(name: string): ModelProfile | undefined {
  return PROFILES.find(([pattern]) => pattern.test(name))?.[1];
}

function bge(queryPrefix: string): ModelProfile {
  return { queryPrefix, passagePrefix: '', pooling: 'cls', maxTokens: 512 };
}

function plain(maxTokens: number): ModelProfile {
  return { queryPrefix: '', passagePrefix: '', pooling: 'mean', maxTokens };
}
