/** Reads text of unspaced scripts in a query: which characters are words, and which carry grammar only. */

export interface UnspacedText {
  /** Whether the characters from `start` to `end` are one word. */
  isWord(start: number, end: number): boolean;
  /**
   * Whether the characters from `start` to `end` carry grammar only: a Japanese particle or ending in hiragana, a pair of hiragana
   * that belong to two words, or the last syllable of a Korean word and its particle.
   */
  isGrammar(start: number, end: number): boolean;
}

/** Finds words with the dictionaries of the runtime. The script of a run, not the locale, decides which dictionary is used. */
export function readUnspaced(text: string): UnspacedText {
  const ends = new Map(
    Array.from(SEGMENTER.segment(text), (word) => [word.index, word.index + word.segment.length]),
  );
  const isWord = (start: number, end: number) => ends.get(start) === end;
  return {
    isWord,
    isGrammar(start, end) {
      const characters = text.slice(start, end);
      if (HIRAGANA.test(characters)) {
        const second = start + 1;
        return characters.length === 1 ? isWord(start, end) : ends.has(second);
      }
      return (
        KOREAN_WITH_PARTICLE.test(characters) && isInsideWord(text, start) && !HANGUL.test(text.charAt(end))
      );
    },
  };
}

const SEGMENTER = new Intl.Segmenter('ja', { granularity: 'word' });
const HIRAGANA = /^[\p{Script=Hiragana}ー]+$/u;
const HANGUL = /^\p{Script=Hangul}/u;
/** A syllable and a particle, which marks topic, subject, object, possession, place, direction, company, addition or limit. */
const KOREAN_WITH_PARTICLE = /^\p{Script=Hangul}[은는이가을를의에로와과도만]$/u;

/** Whether the word has a syllable before `start`. If not, its only pair of characters begins at `start` and must stay. */
function isInsideWord(text: string, start: number): boolean {
  return HANGUL.test(text.charAt(start - 1));
}
