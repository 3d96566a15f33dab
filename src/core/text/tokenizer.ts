/** Splits text into index terms; rules decide what joins words into a compound and how a word becomes a term. */
import { visitCompound } from './compounds.ts';
import { fold } from './fold.ts';
import { isUpper, nameSuffixWidth } from './names.ts';
import { classAt, MARK, UNSPACED, WORD, widthAt } from './scripts.ts';
import { createTermCache } from './term-cache.ts';
import type { Tokenizer, TokenizerRules, VisitRoleToken } from './token.ts';
import { clipTerm, endOfWord, isIndexed, skipPossessive, termOf } from './words.ts';

/** Makes a tokenizer; its time is linear in the text. */
export function createTokenizer(rules: TokenizerRules): Tokenizer {
  const termAt = createTermCache((text, start, end) => termOf(text, start, end, rules));
  const reading = { ...rules, termAt };
  return (text, visit) => {
    let position = 0;
    let index = 0;
    while (index < text.length) {
      const kind = classAt(text, index);
      if (kind === WORD) {
        if (rules.elisionWidth) index += rules.elisionWidth(text, index);
        const end = endOfWord(text, index);
        if (isPlain(text, index, end, rules)) {
          const term = termAt(text, index, end);
          if (isIndexed(term)) visit(term, position, index, end, 'word');
          position += 1;
          index = skipPossessive(text, end);
        } else {
          [index, position] = visitCompound(text, index, position, reading, visit);
          index = skipPossessive(text, index);
        }
      } else if (kind === UNSPACED) {
        [index, position] = visitUnspaced(text, index, position, visit);
      } else {
        index += widthAt(text, index);
      }
    }
    return position;
  };
}

/** Visits each pair of neighbouring characters, and each single character, so that a query of one character matches too. */
function visitUnspaced(
  text: string,
  start: number,
  position: number,
  visit: VisitRoleToken,
): [index: number, position: number] {
  let from = start;
  let end = endOfCharacter(text, from);
  let character = clipTerm(fold(text.slice(from, end)));
  while (classAt(text, end) === UNSPACED) {
    const nextEnd = endOfCharacter(text, end);
    const next = clipTerm(fold(text.slice(end, nextEnd)));
    visit(character + next, position, from, nextEnd, 'word');
    visit(character, position, from, end, 'character');
    position += 1;
    from = end;
    end = nextEnd;
    character = next;
  }
  visit(character, position, from, end, from === start ? 'word' : 'character');
  return [end, position + 1];
}

function endOfCharacter(text: string, start: number): number {
  let end = start + widthAt(text, start);
  while (classAt(text, end) === MARK) end += widthAt(text, end);
  return end;
}

/** Whether a word is not part of a compound and has no humps. This common case allocates nothing. */
function isPlain(text: string, start: number, end: number, rules: TokenizerRules): boolean {
  if (rules.joinerWidth(text, end) > 0 || nameSuffixWidth(text, start, end) > 0) return false;
  if (rules.wholeStart(text, start) < start || rules.wholeEnd(text, end) > end) return false;
  for (let index = start + 1; index < end; index++) {
    const unit = text.charCodeAt(index);
    const isLowerAscii = unit >= 97 && unit <= 122;
    if (!isLowerAscii && (isUpper(text, index) || (rules.splitDigits && unit < 58))) return false;
  }
  return !(rules.splitDigits && text.charCodeAt(start) < 58);
}
