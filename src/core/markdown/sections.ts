/** Splits a text into sections: each reaches from one top-level heading to the next and lists the headings above it. */
import type { Section } from '../model/document.ts';
import { trimSpan } from '../text/lines.ts';

export interface PlainHeading {
  readonly level: number;
  readonly text: string;
  readonly start: number;
}

/**
 * Splits a text at its headings. Text before the first heading is the preamble; if there are only blank lines, they belong to the
 * section of the first heading.
 */
export function readSections(text: string, headings: readonly PlainHeading[]): readonly Section[] {
  const sections: Section[] = [];
  const firstHeading = headings[0]?.start ?? text.length;
  const [first, last] = trimSpan(text, 0, firstHeading);
  const hasPreamble = first < last || headings.length === 0;
  if (hasPreamble) sections.push({ headings: [], level: 0, start: 0, end: firstHeading });

  const ancestors: PlainHeading[] = [];
  for (const [index, heading] of headings.entries()) {
    while (ancestors.length > 0 && ancestors.at(-1)!.level >= heading.level) ancestors.pop();
    ancestors.push(heading);
    sections.push({
      headings: ancestors.map((ancestor) => ancestor.text).filter((name) => name !== ''),
      level: heading.level,
      start: index === 0 && !hasPreamble ? 0 : heading.start,
      end: headings[index + 1]?.start ?? text.length,
    });
  }
  return sections;
}
