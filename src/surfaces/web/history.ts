/** Keeps the place of the page in the address bar, so that links and the Back button work. */
import { type ReadonlySignal, signal } from '@preact/signals';
import { addressOf, type Place, readPlace } from './place.ts';

/** Milliseconds without typing after which the next typed change gets a new entry in the history. */
const PAUSE_MS = 1_500;

export function createPlaceHistory() {
  const place = signal(current());
  let typedAt = Number.NEGATIVE_INFINITY;
  addEventListener('popstate', () => {
    typedAt = Number.NEGATIVE_INFINITY;
    const next = current();
    const { document } = place.value;
    const isSame = JSON.stringify(next.document) === JSON.stringify(document);
    // Keep the object if the document is the same: for a new object, the reader would read the document again.
    place.value = isSame ? { ...next, document } : next;
  });
  return {
    place: place as ReadonlySignal<Place>,
    /**
     * Goes to another place.
     * @param how `push` adds an entry to the history; `type` does so only for the first change after a pause
     */
    go(change: Partial<Place>, how: 'push' | 'type' = 'push'): void {
      const next = { ...place.value, ...change };
      const now = performance.now();
      const goesOn = how === 'type' && now - typedAt < PAUSE_MS;
      typedAt = how === 'type' ? now : Number.NEGATIVE_INFINITY;
      const isSame = JSON.stringify(next) === JSON.stringify(place.value);
      // The state keeps the query, because the address leaves out a query that is too long.
      history[goesOn || isSame ? 'replaceState' : 'pushState']({ query: next.query }, '', addressOf(next));
      place.value = next;
    },
  };
}

function current(): Place {
  const place = readPlace(location.search);
  const kept = (history.state as { readonly query?: unknown } | null)?.query;
  return place.query === '' && typeof kept === 'string' ? { ...place, query: kept } : place;
}
