/** The Lexicon port on the word pieces of a model: a word that the tokenizer does not split is a common word. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lexicon } from '../../core/ports.ts';
import { lazyConstant } from '../../core/text/lazy-constant.ts';

/**
 * Reads the word pieces of the model once, at the first call, in about 10 ms.
 * @param folder folder of a model. If it has no `tokenizer.json`, or one without word pieces, `knows` is true for every word
 */
export function createWordPieces(folder: string): Lexicon {
  const words = lazyConstant(() => readWords(join(folder, 'tokenizer.json')));
  return { words, knows: (word) => words().size === 0 || words().has(word) };
}

interface TokenizerFile {
  readonly model?: { readonly type?: string; readonly vocab?: Readonly<Record<string, number>> };
}

/** Returns all pieces. Pieces inside words, such as `##ing`, do no harm: no word is equal to them. */
function readWords(file: string): ReadonlySet<string> {
  if (!existsSync(file)) return new Set();
  const { model }: TokenizerFile = JSON.parse(readFileSync(file, 'utf8'));
  return new Set(model?.type === 'WordPiece' ? Object.keys(model.vocab ?? {}) : []);
}
