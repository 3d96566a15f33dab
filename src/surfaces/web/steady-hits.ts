/** Keeps hits steady while an answer to the same query puts them in another order: the hit in use keeps its place, the others glide. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Answer } from './finder.ts';

const GLIDE_MS = 150;
const HIT = '.hit';

type Box = { readonly current: HTMLElement | null };

/** @param list the element around the hits */
export function useSteadyHits(list: Box, answer: Answer | undefined): void {
  const inUse = useHitInUse(list);
  const shown = useRef<Answer | undefined>(undefined);
  const isReordered = answer !== shown.current && answer?.query === shown.current?.query;
  // Before this render ends, the hits are still where the previous answer put them.
  const before = isReordered ? topsOf(list) : undefined;
  useLayoutEffect(() => {
    shown.current = answer;
    // Browsers drop the focus of an element that is moved.
    const lost = document.activeElement === document.body ? hitOf(list, inUse.focused) : undefined;
    if (lost) linkOf(lost)?.focus({ preventScroll: true });
    if (!before) return;
    for (const hit of before.keys()) for (const animation of hit.getAnimations()) animation.cancel();
    const held = hitOf(list, inUse.focused ?? inUse.pointed);
    const moved = held && before.has(held) ? topOf(held) - before.get(held)! : 0;
    if (held && moved !== 0) scrollerOf(held).scrollBy({ top: moved, behavior: 'instant' });
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    for (const [hit, top] of topsOf(list)) {
      const way = (before.get(hit) ?? top) - top;
      const from = { transform: `translateY(${way}px)` };
      if (Math.abs(way) >= 1)
        hit.animate([from, { transform: 'none' }], { duration: GLIDE_MS, easing: 'ease-out' });
    }
  }, [answer]);
}

/** The hit that has the focus, and the hit that the pointer was moved to after the last key. */
function useHitInUse(list: Box) {
  const { current: inUse } = useRef<{ focused?: string | undefined; pointed?: string | undefined }>({});
  useLayoutEffect(() => {
    const chunkAt = ({ target }: Event) => {
      const hit = (target as Element).closest(HIT);
      return hit && list.current?.contains(hit) ? linkOf(hit)?.dataset.chunk : undefined;
    };
    const stop = new AbortController();
    addEventListener('focusin', (event) => Object.assign(inUse, { focused: chunkAt(event) }), stop);
    addEventListener('pointermove', (event) => Object.assign(inUse, { pointed: chunkAt(event) }), stop);
    // At a key press, forget the hit under the pointer: a reader who types wants to see the first hit.
    addEventListener('keydown', () => Object.assign(inUse, { pointed: undefined }), stop);
    return () => stop.abort();
  }, []);
  return inUse;
}

function hitOf({ current }: Box, chunk: string | undefined): HTMLElement | undefined {
  const hits = [...(current?.querySelectorAll<HTMLElement>(HIT) ?? [])];
  return chunk === undefined ? undefined : hits.find((hit) => linkOf(hit)?.dataset.chunk === chunk);
}

function linkOf(hit: Element): HTMLElement | null {
  return hit.querySelector('[data-chunk]');
}

function topsOf({ current }: Box): ReadonlyMap<HTMLElement, number> {
  const hits = [...(current?.querySelectorAll<HTMLElement>(HIT) ?? [])];
  return new Map(hits.map((hit) => [hit, topOf(hit)]));
}

function topOf(hit: Element): number {
  return hit.getBoundingClientRect().top;
}

/** The element that scrolls the hits: their own list beside an open document, otherwise the page. */
function scrollerOf(hit: Element): Element {
  const results = hit.closest('.results');
  const isOwn = results && getComputedStyle(results).overflowY !== 'visible';
  return isOwn ? results : document.scrollingElement!;
}
