/** Other ways to write the characters of a text, one for one. */

/** Returns the text written in other ways. Each has as many UTF-16 units as the text and differs from it. */
export type Respell = (text: string) => readonly string[];

/** Returns the text in hiragana, and in katakana, as far as it is written in the other. */
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
