/** Finds lines and headings in a rendered document. */
import { anchorName } from '../../core/text/anchor-name.ts';
import type { OpenDocument } from './place.ts';
import { ANCHOR, LAST_LINE, LINE } from './sanitise.ts';

const MARKED = 'marked';

/**
 * Marks the smallest blocks that hold the lines. Returns whether there is one.
 * @param goes whether to scroll to the first
 */
export function markLines(frame: HTMLElement, lines: OpenDocument['lines'], goes: boolean): boolean {
  for (const block of frame.querySelectorAll(`.${MARKED}`)) block.classList.remove(MARKED);
  if (lines === undefined) return false;
  const [first, last] = lines;
  const blocks = [...frame.querySelectorAll(`[${LINE}]`)].filter(
    (block) => numberOf(block, LINE) <= last && numberOf(block, LAST_LINE) >= first,
  );
  const smallest = blocks.filter(
    (block) => !blocks.some((other) => other !== block && block.contains(other)),
  );
  for (const block of smallest) block.classList.add(MARKED);
  if (goes) smallest[0]?.scrollIntoView({ block: 'center' });
  return smallest.length > 0;
}

/**
 * Scrolls to a heading or a footnote, named as in links. Returns whether it is there.
 * @param line line of the heading, if only a part of the document is shown. The name is not enough there: names of equal headings
 * are numbered over the whole document.
 */
export function showHeading(frame: HTMLElement, heading: string, line?: number): boolean {
  if (heading.startsWith('^')) return showBlock(frame, heading);
  const wanted = anchorName(heading);
  const found = [...frame.querySelectorAll<HTMLElement>(`[${ANCHOR}]`)].find((each) =>
    line ? numberOf(each, LINE) === line : each.getAttribute(ANCHOR) === wanted,
  );
  found?.scrollIntoView({ block: 'start' });
  found?.focus({ preventScroll: true });
  return found !== undefined;
}

/** Marks the block that ends with its own name, such as `^steps`, and scrolls to it. */
function showBlock(frame: HTMLElement, name: string): boolean {
  const isNamed = ({ textContent }: Element) => ` ${textContent.trimEnd()}`.endsWith(` ${name}`);
  const [last] = [...frame.querySelectorAll(`[${LINE}]`)].filter(isNamed).slice(-1);
  const [first, end] = [LINE, LAST_LINE].map((each) => (last ? numberOf(last, each) : 0));
  return markLines(frame, [first!, end!], true);
}

function numberOf(block: Element, name: string): number {
  return Number(block.getAttribute(name));
}
