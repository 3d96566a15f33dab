/** The keyboard: `/` to the query, arrows through the hits, Esc back, `?` for help. */
import type { Grade } from './judging/judgements.ts';
import type { Page } from './page.ts';
import { SEARCH_FIELD } from './search-box.tsx';

/** Name of the attribute of elements that the arrow keys stop at. */
export const STOP = 'data-stop';

export function listenForKeys(page: Page): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (document.querySelector('dialog[open]')) return;
    if (act(page, event)) event.preventDefault();
  });
}

/** Returns whether the key was used. */
function act(page: Page, { key, target }: KeyboardEvent): boolean {
  const field = document.getElementById(SEARCH_FIELD) as HTMLInputElement | null;
  const element = target as HTMLElement;
  const isTyping = element.matches('input, textarea, select');
  // In a query that is empty or wholly selected, `/` is a shortcut too: the field may have the focus when the page opens.
  const isReplaced = element === field && field.selectionEnd! - field.selectionStart! === field.value.length;
  if (key === '/' && (!isTyping || isReplaced)) {
    field?.focus();
    field?.select();
    return true;
  }
  if (key === '?' && !isTyping) {
    page.isHelpOpen.value = true;
    return true;
  }
  const hit = element.closest<HTMLElement>('[data-chunk]');
  if (hit && /^[012]$/.test(key) && page.server.value?.judging) {
    const query = page.finder.found.value?.answer?.query;
    if (query) void page.judgements?.judge(query, hit.dataset.document!, Number(key) as Grade);
    return true;
  }
  const isInHits = element.closest(`[${STOP}]`) !== null;
  if ((key === 'ArrowDown' || key === 'ArrowUp') && (isInHits || element === field)) {
    return move(key === 'ArrowDown' ? 1 : -1, element, field);
  }
  if (key !== 'Escape' || (isTyping && element !== field)) return false;
  if (page.place.value.document) {
    page.close();
    return true;
  }
  if (element === field && field.value !== '') return false;
  field?.focus();
  return true;
}

/** Moves the focus to the next or the previous hit. Above the first hit is the field for the query. */
function move(way: 1 | -1, from: HTMLElement, field: HTMLElement | null): boolean {
  const stops = [...document.querySelectorAll<HTMLElement>(`[${STOP}]`)];
  const at = stops.indexOf(from.closest<HTMLElement>(`[${STOP}]`)!);
  if (from === field && way < 0) return false;
  const next = at + way < 0 ? field : stops[at + way];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
  return true;
}
