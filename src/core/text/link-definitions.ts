/** Link reference definitions (`[name]: target "title"`): machinery that a reader of the page never sees. */

const DEFINITION = /^ {0,3}\[(?!\^)[^\]\n]+\]:[ \t]*\S.*$/gm;

/** The text without them, for indexing by words and by meaning; tools write hundreds, and they name other pages. */
export function withoutLinkDefinitions(text: string): string {
  return text.includes(']:') ? text.replace(DEFINITION, '') : text;
}

export function isLinkDefinition(line: string): boolean {
  return line.includes(']:') && withoutLinkDefinitions(line) === '';
}
