/** Compares two texts by UTF-16 units, ascending; the order does not depend on the language of the machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
