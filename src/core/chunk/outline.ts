/** The tree of a document's sections, the heading path of a stretch of text, and parents: groups of pieces within the tree. */
import type { ParsedDocument, Section } from '../model/document.ts';
import { firstIndex, trimSpan } from '../text/lines.ts';
import type { ChunkingSettings } from './settings.ts';
import type { Piece } from './split.ts';

export type Outline = ReturnType<typeof outlineOf>;

/** Builds the tree from the levels of the sections. */
export function outlineOf(document: ParsedDocument) {
  const { sections, title } = document;
  const parents = parentsOf(sections);
  const top = sections.findIndex(({ level }) => level === 1);
  const firstTop = Math.max(0, top);

  const chain = (section: number): readonly number[] => {
    const indexes: number[] = [];
    for (let at = section; at !== -1; at = parents[at]!) indexes.push(at);
    return indexes;
  };
  const isBare = (section: number) => {
    const { start, end } = sections[section]!;
    return !document.text.slice(start, end).trim().includes('\n');
  };
  const sectionAt = (offset: number) =>
    Math.max(0, firstIndex(sections.length, (index) => sections[index]!.start > offset) - 1);
  const pathOfSection = (section: number): readonly string[] => {
    const headings = sections[section]?.headings ?? [];
    return headings[0] === title ? headings : [title, ...headings];
  };

  return {
    sections,
    sectionAt,
    pathOfSection,
    /** Whether two sections are siblings, or the second is a subsection of the first. */
    isNeighbour: (first: number, second: number) =>
      parents[first] === parents[second] || chain(second).includes(first),
    /**
     * Returns the index of the level 1 section that contains a section. If none contains it, returns the index of the first level
     * 1 section of the document; 0 if the document has none.
     */
    topOf: (section: number) => chain(section).find((index) => sections[index]!.level === 1) ?? firstTop,
    /**
     * Returns the document title, then the headings that apply to every line of the stretch. A heading at the start of the stretch
     * is ignored if no text follows it before the next heading.
     */
    pathOf: (start: number, end: number): readonly string[] => {
      const last = sectionAt(end - 1);
      let first = sectionAt(start);
      while (first < last && isBare(first)) first++;
      const holders = chain(first);
      const deepest = chain(last).find((section) => holders.includes(section));
      return deepest === undefined ? [title] : pathOfSection(deepest);
    },
  };
}

/** Returns for each section the index of the nearest section before it with a lower level; −1 if there is none. */
function parentsOf(sections: readonly Section[]): readonly number[] {
  const open: number[] = [];
  return sections.map(({ level }, index) => {
    while (open.length > 0 && sections[open.at(-1)!]!.level >= level) open.pop();
    const parent = open.at(-1) ?? -1;
    open.push(index);
    return parent;
  });
}

interface ParentSpan {
  readonly start: number;
  readonly end: number;
  /** Number of pieces in the parent. */
  readonly pieces: number;
}

type Limits = Pick<ChunkingSettings, 'parentMinChars' | 'parentMaxChars'>;

/**
 * Groups pieces under the same level 1 heading, as many as fit in `parentMaxChars`. Once a parent has `parentMinChars`, it ends
 * before the next piece that begins a section. Parents are adjacent and cover the whole document.
 */
export function groupParents(
  document: ParsedDocument,
  outline: Outline,
  pieces: readonly Piece[],
  { parentMinChars, parentMaxChars }: Limits,
): readonly ParentSpan[] {
  const parents: ParentSpan[] = [];
  const length = (start: number, end: number) => {
    const [first, last] = trimSpan(document.text, start, end);
    return last - first;
  };
  for (const { newStart, end } of pieces) {
    const open = parents.at(-1);
    const section = outline.sectionAt(newStart);
    const isFull =
      open === undefined ||
      outline.topOf(outline.sectionAt(open.start)) !== outline.topOf(section) ||
      length(open.start, end) > parentMaxChars ||
      (outline.sections[section]!.start === newStart && length(open.start, open.end) >= parentMinChars);
    if (isFull) parents.push({ start: newStart, end, pieces: 1 });
    else parents[parents.length - 1] = { start: open.start, end, pieces: open.pieces + 1 };
  }
  return parents;
}
