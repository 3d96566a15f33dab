/** Replaces stretches of a text, and maps old offsets to new ones. */
import { firstIndex } from './lines.ts';

/** Replaces `text.slice(start, end)` with `shown`. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly shown: string;
}

export function hide(start: number, end: number): Edit {
  return { start, end, shown: '' };
}

/** Moves edits by a number of UTF-16 units. */
export function shifted(edits: readonly Edit[], by: number): Edit[] {
  return edits.map(({ start, end, shown }) => ({ start: start + by, end: end + by, shown }));
}

/** Sorts edits. Drops empty edits and edits that begin inside another edit. */
export function inOrder(edits: readonly Edit[]): Edit[] {
  let end = -1;
  return edits
    .filter((edit) => edit.end > edit.start)
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .filter((edit) => {
      if (edit.start < end) return false;
      end = edit.end;
      return true;
    });
}

/** @param edits sorted, without overlaps */
export function applyEdits(text: string, edits: readonly Edit[]) {
  const parts: string[] = [];
  /** For each edit: its start in the new text, and the shift of the text after it. */
  const places: { readonly begin: number; readonly shift: number }[] = [];
  let at = 0;
  let shift = 0;
  for (const { start, end, shown } of edits) {
    parts.push(text.slice(at, start), shown);
    const begin = start + shift;
    shift = begin + shown.length - end;
    places.push({ begin, shift });
    at = end;
  }
  parts.push(text.slice(at));
  /** Maps an offset of the old text to the new text. An offset inside an edit maps to the start of the edit. */
  const moved = (offset: number): number => {
    const last = firstIndex(edits.length, (index) => edits[index]!.start >= offset) - 1;
    if (last < 0) return offset;
    const { begin, shift: by } = places[last]!;
    return offset < edits[last]!.end ? begin : offset + by;
  };
  return { text: parts.join(''), moved };
}
