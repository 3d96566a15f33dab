/** The views of the page other than search. A view is loaded when it is first shown. */
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { PlaceLink } from './document-link.tsx';
import { usePage } from './page.ts';
import type { ViewName } from './place.ts';

type Loaded = Exclude<ViewName, 'search'>;

export const VIEW_LABELS: Readonly<Record<ViewName, string>> = {
  search: 'Search',
  map: 'Map',
  status: 'Status',
  judged: 'Judged',
};

const LOADERS: Readonly<Record<Loaded, () => Promise<ComponentType>>> = {
  map: async () => (await import('./map/map-view.tsx')).MapView,
  status: async () => (await import('./status/status-view.tsx')).StatusView,
  judged: async () => (await import('./judging/judged-view.tsx')).JudgedView,
};

/** Links to the views that can be shown. A view keeps the query and the filters. */
export function ViewLinks() {
  const { views, place } = usePage();
  const { view: shown } = place.value;
  if (views.length === 1) return null;
  return (
    <nav aria-label="Views">
      {views.map((view) => (
        <PlaceLink
          key={view}
          to={{ view, document: undefined }}
          aria-current={view === shown ? 'page' : undefined}
        >
          {VIEW_LABELS[view]}
        </PlaceLink>
      ))}
    </nav>
  );
}

export function View({ name }: { readonly name: Loaded }) {
  const { Shown, failed } = useLater(LOADERS[name]);
  return (
    <section class="results" aria-label={VIEW_LABELS[name]}>
      {Shown && <Shown />}
      {failed && <NotLoaded what="view" />}
    </section>
  );
}

export function NotLoaded({ what }: { readonly what: string }) {
  return (
    <p class="message" role="alert">
      The {what} could not be loaded. Load the page again.
    </p>
  );
}

/** Loads a component. @param load the same function at each call; undefined loads nothing */
export function useLater<Props>(load: (() => Promise<ComponentType<Props>>) | undefined) {
  const [loaded, setLoaded] = useState<{
    readonly Shown?: ComponentType<Props>;
    readonly failed?: boolean;
  }>({});
  useEffect(() => {
    load?.().then(
      (Shown) => setLoaded({ Shown }),
      () => setLoaded({ failed: true }),
    );
  }, [load]);
  return loaded;
}
