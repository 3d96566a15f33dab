/** Estimates how many tokens a service counts in texts: its tokenizer is not known, but the scripts of the texts are. */
import { embeddingText } from '../../core/chunk/chunk-head.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** Tokens per character. Characters that are not listed, such as blank space, are part of another token. */
const TOKENS: readonly (readonly [RegExp, number])[] = [
  [/\p{Script=Latin}/gu, 1 / 4],
  [/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu, 0.8],
  [
    /[[\p{L}\p{M}]--[\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]]/gv,
    1 / 2.5,
  ],
  [/\p{N}/gu, 1 / 2],
  [/[\p{P}\p{S}]/gu, 1],
];

/** Documents that are examined, evenly spaced. */
const EXAMINED = 500;

/** Returns the estimated number of tokens in a text, not rounded. */
export function estimateTokens(text: string): number {
  return TOKENS.reduce((sum, [pattern, tokens]) => sum + tokens * (text.match(pattern)?.length ?? 0), 0);
}

/** Returns the estimated tokens per character (UTF-16 unit) of the passages of an index; 0 if it has none. */
export function tokensPerCharacter({ store, catalog }: Pick<Workspace, 'store' | 'catalog'>): number {
  const documents = [...catalog().all()];
  const step = Math.ceil(documents.length / EXAMINED) || 1;
  let [tokens, characters] = [0, 0];
  for (let place = 0; place < documents.length; place += step) {
    for (const chunk of store.chunksOf(documents[place]!.number)) {
      const text = embeddingText(chunk);
      tokens += estimateTokens(text);
      characters += text.length;
    }
  }
  return characters === 0 ? 0 : tokens / characters;
}
