/** A long text in stretches that hold the same words as the whole. */

const BLANK = /[ \n]/g;

/** Cuts behind a space or a line end, where no word and no compound goes on; a stretch is longer where there is none. */
export function* stretches(text: string, length: number): Generator<string> {
  let start = 0;
  while (text.length - start > length) {
    BLANK.lastIndex = start + length;
    if (!BLANK.test(text)) break;
    yield text.slice(start, BLANK.lastIndex);
    start = BLANK.lastIndex;
  }
  yield text.slice(start);
}
