/** Respellings: other ways to write a text, character by character, such as hiragana for katakana. */

/** Returns the respellings of a text. Each has as many UTF-16 units as the text and differs from it. */
export type Respell = (text: string) => readonly string[];

/** Returns the text with all katakana as hiragana, and with all hiragana as katakana. Leaves out a result equal to the text. */
export const respellKana: Respell = (text) =>
  KANA.test(text)
    ? [shift(text, KATAKANA, -KANA_DISTANCE), shift(text, HIRAGANA, KANA_DISTANCE)].filter(
        (each) => each !== text,
      )
    : [];

/** Distance in Unicode from a hiragana to its katakana. */
const KANA_DISTANCE = 0x60;
const HIRAGANA = /[ぁ-ゖゝゞ]/g;
const KATAKANA = /[ァ-ヶヽヾ]/g;
const KANA = /[ぁ-ゖゝゞァ-ヶヽヾ]/;

function shift(text: string, characters: RegExp, distance: number): string {
  return text.replace(characters, (one) => String.fromCharCode(one.charCodeAt(0) + distance));
}
