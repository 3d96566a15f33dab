/** The Lexicon port on the word pieces of a model: what a tokenizer keeps whole is a word people write often. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lexicon } from '../../core/ports.ts';

/**
 * Reads the pieces at the first question, once: some ten milliseconds.
 * @param folder of a model with a `tokenizer.json` of the kind WordPiece; without one every word passes for known
 */
export function createWordPieces(folder: string): Lexicon {
  let words: ReadonlySet<string> | undefined;
  return {
    knows(word) {
      words ??= readWords(join(folder, 'tokenizer.json'));
      return words.size === 0 || words.has(word);
    },
  };
}

interface TokenizerFile {
  readonly model?: { readonly type?: string; readonly vocab?: Readonly<Record<string, number>> };
}

/** Pieces that begin a word; the others, `##ing`, never equal one. */
function readWords(file: string): ReadonlySet<string> {
  if (!existsSync(file)) return new Set();
  const { model }: TokenizerFile = JSON.parse(readFileSync(file, 'utf8'));
  return new Set(model?.type === 'WordPiece' ? Object.keys(model.vocab ?? {}) : []);
}
