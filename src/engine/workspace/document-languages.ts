/** Finds out which documents are not in English: they get no vectors of the first model, which is for English. */
import type { LanguageDetector } from '../../core/ports.ts';
import type { Steps } from '../../core/steps.ts';
import type { Store } from '../../core/storage.ts';
import { isInOtherScript, looksEnglish } from '../../core/text/language-signs.ts';
import type { LoadedIndexes } from './loaded-indexes.ts';
import type { WorkspaceParts } from './workspace-parts.ts';

/** Raise this number when the rules below change. The languages of all documents are then found again. */
const RULES = 2;
/** A document is judged by this many passages, evenly spaced: the languages of one document may differ. */
const MAX_PASSAGES = 8;
/** Max characters of each of these passages. */
const MAX_LENGTH = 600;
/** Code and addresses, which look English in documents of every language. */
const NOT_PROSE = /```[\s\S]*?(?:```|$)|`[^`\n]*`|https?:\S+|\]\([^)]*\)|<[^>]*>/g;
/** If the different words of a text have fewer letters in total, the detector only guesses. */
const MIN_LETTERS = 40;
const WORDS = /[\p{L}\p{M}]+/gu;

export function createDocumentLanguages(
  { store, collections }: Pick<WorkspaceParts, 'store' | 'collections'>,
  catalog: () => LoadedIndexes['catalog'],
) {
  const languages = new Map(collections.map(({ name, language }) => [name, language]));
  let known: ReadonlySet<number> | undefined;

  function isEnglish(number: number, collection: string, detector: LanguageDetector | undefined): boolean {
    const language = languages.get(collection) ?? 'auto';
    if (language !== 'auto') return language === 'en';
    return isEnglishText(`${catalog().document(number)?.title ?? ''}\n${sample(store, number)}`, detector);
  }

  return {
    /** Numbers of the documents in other languages, as last found. */
    others(): ReadonlySet<number> {
      known ??= new Set(store.getState('otherLanguages'));
      return known;
    },
    /** Examines new documents. All are examined again if the rules have changed, or the detector has been installed. */
    *update(detector: LanguageDetector | undefined): Steps<void> {
      const rules = JSON.stringify([RULES, detector !== undefined, ...languages]);
      const source = store.getState('languagesSource');
      const from = source?.rules === rules ? source.upTo : 0;
      const before = from === 0 ? [] : (store.getState('otherLanguages') ?? []);
      const others = before.filter((number) => catalog().document(number) !== undefined);
      let upTo = from;
      for (const { number, collection } of catalog().all()) {
        if (number > from && !isEnglish(number, collection, detector)) others.push(number);
        upTo = Math.max(upTo, number);
        yield;
      }
      if (upTo === from && others.length === before.length && source?.rules === rules) return;
      store.setState({ otherLanguages: others, languagesSource: { rules, upTo } });
      known = new Set(others);
    },
    forget() {
      known = undefined;
    },
  };
}

export function isEnglishText(text: string, detector: LanguageDetector | undefined): boolean {
  if (!detector) return looksEnglish(text);
  if (isInOtherScript(text)) return false;
  const isShort = [...new Set(text.match(WORDS))].join('').length < MIN_LETTERS;
  // The detector alone takes 106 of 8,066 English texts, such as lists of names or code, for texts in other languages. This
  // rule makes only 8 such mistakes.
  return isShort || detector.detect(text)?.language === 'en' || looksEnglish(text);
}

/** Returns prose from all parts of a document. */
export function sample(store: Pick<Store, 'chunksOf'>, number: number): string {
  const chunks = store.chunksOf(number);
  const step = Math.max(1, chunks.length / MAX_PASSAGES);
  const places = Array.from({ length: Math.min(MAX_PASSAGES, chunks.length) }, (_, i) =>
    Math.floor(i * step),
  );
  return places.map((place) => chunks[place]!.text.replace(NOT_PROSE, ' ').slice(0, MAX_LENGTH)).join('\n');
}
