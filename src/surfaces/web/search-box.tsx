/** The field for the query, and how to search. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { SearchMode } from '../../core/model/query.ts';
import type { PresetName } from '../../engine/config/presets.ts';
import { Choice } from './controls.tsx';
import { linesOf } from './finder.ts';
import { usePage } from './page.ts';

const MODES: Readonly<Record<SearchMode, string>> = {
  hybrid: 'Meaning and words',
  semantic: 'Meaning',
  keyword: 'Words',
  code: 'Code',
};

const PRESETS: Readonly<Record<PresetName, string>> = {
  general: 'Any documents',
  api: 'Reference pages',
  notes: 'Notes',
  research: 'Literature',
};

/** Windows in which an open document replaces the hits. `reading.css` has the same width. */
const NARROW = '(max-width: 59.99rem)';

/** Id of the field, for keys and other parts of the page. */
export const SEARCH_FIELD = 'search-field';

export function SearchBox() {
  const { session, place, go, open, finder, asking } = usePage();
  const { view, query, mode, preset } = place.value;
  const field = useRef<HTMLInputElement>(null);
  // Take the focus at once: an `autofocus` would come too late for the first key.
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);

  /** Starts a search. Closes an open document if it would hide the hits. */
  const search: typeof go = (change, how) => {
    const hides = view === 'search' && matchMedia(NARROW).matches;
    go(hides ? { ...change, document: undefined } : change, how);
  };

  /** The query whose first hit opens as soon as it is found. */
  const entered = useRef<string | undefined>(undefined);
  const found = finder.found.value;
  function openFirst(): void {
    if (!found?.answer || found.answer.query !== entered.current) return;
    entered.current = undefined;
    const [first] = [...found.answer.hits, ...found.answer.unsure];
    if (first) open({ id: first.document_id, lines: linesOf(first) });
  }
  useLayoutEffect(openFirst, [found]);

  function submit(event: Event): void {
    event.preventDefault();
    entered.current = query;
    openFirst();
  }

  return (
    <search>
      <form action="./" onSubmit={submit}>
        <input
          id={SEARCH_FIELD}
          type="search"
          name="q"
          dir="auto"
          aria-label="Search your documents"
          placeholder="Search your documents"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          ref={field}
          value={query}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.isComposing || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            asking?.ask();
          }}
          onInput={({ currentTarget }) => {
            // Stay on the map: it highlights the hits.
            const next = view === 'map' ? 'map' : 'search';
            // Show the new hits from the top.
            scrollTo(0, 0);
            entered.current = undefined;
            search({ query: currentTarget.value, view: next }, 'type');
          }}
        />
        {session.connection && (
          <>
            <Choice label="Search by" value={mode} names={MODES} choose={(next) => search({ mode: next })} />
            <Choice
              label="Tuned for"
              value={preset}
              names={PRESETS}
              choose={(next) => search({ preset: next })}
            />
          </>
        )}
      </form>
    </search>
  );
}
