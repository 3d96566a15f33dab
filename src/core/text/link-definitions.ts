/** Link reference definitions (`[name]: target "title"`): machinery that a reader of the page never sees. */

/** Nothing but a title may follow the target (CommonMark 0.31, 4.7): `[Note]: restart the server` is text. */
const TITLE = /[ \t]+(?:"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\((?:\\.|[^()\\\n])*\))/u.source;
/** `[Note]: deprecated` is text, too, although CommonMark takes it for a definition: its target is one word of prose. */
const PROSE = /\p{L}+[.!?]?[ \t]*$/u.source;
const DEFINITION = new RegExp(
  String.raw`^ {0,3}\[(?!\^)[^\]\n]+\]:[ \t]*(?!${PROSE})(?:<[^<>\n]*>|(?!<)\S+)(?:${TITLE})?[ \t]*$`,
  'gmu',
);

/** The text without them, for indexing by words and by meaning; tools write hundreds, and they name other pages. */
export function withoutLinkDefinitions(text: string): string {
  return text.includes(']:') ? text.replace(DEFINITION, '') : text;
}

export function isLinkDefinition(line: string): boolean {
  return line.includes(']:') && withoutLinkDefinitions(line) === '';
}
