/** Replaces stretches of a text, and tells where each offset went. */
import { firstIndex } from './first-index.ts';

/** `text.slice(start, end)` becomes `shown`. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly shown: string;
}

export interface EditedText {
  readonly text: string;
  /** The offset in the new text; an offset inside an edit goes to its beginning. */
  moved(offset: number): number;
}

/** Sorts edits, and leaves out empty ones and those that begin inside another. */
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

/** @param edits in order, none overlapping the next */
export function applyEdits(text: string, edits: readonly Edit[]): EditedText {
  const parts: string[] = [];
  /** For each edit, where it begins in the new text, and how far what follows it has moved. */
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
  const moved = (offset: number) => {
    const last = firstIndex(edits.length, (index) => edits[index]!.start >= offset) - 1;
    if (last < 0) return offset;
    const { begin, shift: by } = places[last]!;
    return offset < edits[last]!.end ? begin : offset + by;
  };
  return { text: parts.join(''), moved };
}
