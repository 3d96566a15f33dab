/** Finds the sections of a text by the anchors of their headings. */
import { createAnchorNames } from '../text/anchor-name.ts';
import { indexLines } from '../text/lines.ts';
import { readBlocks } from './blocks.ts';
import { pageOf, plainText } from './visible-text.ts';

export interface Anchor {
  /** As on GitHub: `Tags vs Backlinks` → `tags-vs-backlinks`; the second heading with this text → `tags-vs-backlinks-1`. */
  readonly name: string;
  /** Lines of the section with its subsections, counted from 0: start inclusive, end exclusive. */
  readonly start: number;
  end: number;
}

/** Returns the anchors of a text's headings, in the order of the text. @param path path of the document */
export function readAnchors(path: string, text: string): readonly Anchor[] {
  const { headings, environment } = readBlocks(text, 1);
  const lines = indexLines(text);
  const page = pageOf(path, text);
  const nameOf = createAnchorNames();
  const open: { readonly level: number; readonly anchor: Anchor }[] = [];
  return headings.map(({ level, content, start }) => {
    const line = lines.lineAt(start);
    while (open.length > 0 && open.at(-1)!.level >= level) open.pop()!.anchor.end = line;
    const name = nameOf(plainText(content, environment, page));
    const anchor = { name, start: line, end: lines.count };
    open.push({ level, anchor });
    return anchor;
  });
}
