/** Finds link reference definitions (`[name]: target "title"`), which a rendered page does not show. */
import type { Stretch } from './lines.ts';

/** Only a title may follow the target (CommonMark 0.31, 4.7): `[Note]: restart the server` is text. */
const TITLE = /[ \t]+(?:"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\((?:\\.|[^()\\\n])*\))/u.source;
/** A target that is one word of prose. `[Note]: deprecated` is read as text, although CommonMark calls it a definition. */
const PROSE = /\p{L}+[.!?]?[ \t]*$/u.source;
const DEFINITION = new RegExp(
  String.raw`^ {0,3}\[(?!\^)[^\]\n]+\]:[ \t]*(?!${PROSE})(?:<[^<>\n]*>|(?!<)\S+)(?:${TITLE})?[ \t]*$`,
  'gmu',
);

/** Removes link definitions from a text before it is indexed: some tools write hundreds of them, with words about other pages. */
export function withoutLinkDefinitions(text: string): string {
  return text.includes(']:') ? text.replace(DEFINITION, '') : text;
}

/** Returns the lines that are link definitions, in order, without their line feeds. */
export function linkDefinitions(text: string): readonly Stretch[] {
  if (!text.includes(']:')) return [];
  return Array.from(text.matchAll(DEFINITION), ({ index, 0: line }) => [index, index + line.length]);
}

export function isLinkDefinition(line: string): boolean {
  return line.includes(']:') && withoutLinkDefinitions(line) === '';
}
