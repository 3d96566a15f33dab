/** The tree that a document's sections form, and the heading path that a stretch of text stands under. */
import type { ParsedDocument, Section } from '../model/document.ts';
import { firstIndex } from '../text/first-index.ts';

export interface Outline {
  readonly sections: readonly Section[];
  /** Index of the section at an offset. */
  sectionAt(offset: number): number;
  /** Whether two sections are siblings, or the second stands below the first. */
  isNeighbour(first: number, second: number): boolean;
  /** Index of the level 1 heading above a section; text before the first one belongs to it. */
  topOf(section: number): number;
  /**
   * Document title, then the headings above all of the stretch, so that the path is true for each of its lines.
   * Headings that it begins with and that have no text of their own do not count.
   */
  pathOf(start: number, end: number): readonly string[];
  /** Document title and headings of one section. */
  pathOfSection(section: number): readonly string[];
}

/** Reads the tree off the levels of the sections. */
export function outlineOf(document: ParsedDocument): Outline {
  const { sections, title } = document;
  const parents = parentsOf(sections);
  const firstTop = Math.max(
    0,
    sections.findIndex(({ level }) => level === 1),
  );

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
  const pathOfSection = (section: number) => withTitle(title, sections[section]?.headings ?? []);

  return {
    sections,
    sectionAt,
    pathOfSection,
    isNeighbour: (first, second) => parents[first] === parents[second] || chain(second).includes(first),
    topOf: (section) => chain(section).find((index) => sections[index]!.level === 1) ?? firstTop,
    pathOf: (start, end) => {
      const last = sectionAt(end - 1);
      let first = sectionAt(start);
      while (first < last && isBare(first)) first++;
      const holders = chain(first);
      const deepest = chain(last).find((section) => holders.includes(section));
      return deepest === undefined ? [title] : pathOfSection(deepest);
    },
  };
}

/** A first heading that repeats the title is said once. */
function withTitle(title: string, headings: readonly string[]): readonly string[] {
  return headings[0] === title ? headings : [title, ...headings];
}

/** Index of the nearest section before each with a lower level; −1 if there is none. */
function parentsOf(sections: readonly Section[]): readonly number[] {
  const open: number[] = [];
  return sections.map(({ level }, index) => {
    while (open.length > 0 && sections[open.at(-1)!]!.level >= level) open.pop();
    const parent = open.at(-1) ?? -1;
    open.push(index);
    return parent;
  });
}
