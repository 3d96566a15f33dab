/** Removes the thoughts of a reasoning model from the start of its answer, if its service sends both as one text. */

const OPENING = '<think>';
const CLOSING = '</think>';

/** Makes a filter for one answer, which may begin with one thought. */
export function createThoughtFilter() {
  let held = '';
  let state: 'before' | 'thinking' | 'after' | 'answer' = 'before';
  return {
    /** Takes the next piece of text, and returns the part that belongs to the answer. */
    take(piece: string): string {
      if (state === 'answer') return piece;
      held += piece;
      if (state === 'before') {
        const start = held.trimStart();
        if (start.length < OPENING.length && OPENING.startsWith(start)) return '';
        state = start.startsWith(OPENING) ? 'thinking' : 'answer';
      }
      if (state === 'thinking') {
        const end = held.indexOf(CLOSING);
        if (end < 0) {
          // Thoughts are long: keep only what may be the beginning of the closing tag.
          held = held.slice(-CLOSING.length);
          return '';
        }
        held = held.slice(end + CLOSING.length);
        state = 'after';
      }
      if (state === 'after') {
        held = held.trimStart();
        if (held === '') return '';
        state = 'answer';
      }
      return held;
    },
    /** Returns the text that `take` has not returned yet, because it may begin a thought. Call it after the last piece. */
    rest: () => (state === 'before' ? held : ''),
  };
}
