/** The hits of the latest answer: sure ones, then those that may not answer the query. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { HitView } from './hit-view.tsx';
import { usePage } from './page.ts';
import { ProblemNotice } from './problem-notice.tsx';

export function HitList() {
  const { finder, server, parts } = usePage();
  const found = finder.found.value;
  const list = useRef<HTMLDivElement>(null);
  useKeptFocus(list, found);
  if (found === undefined) return null;
  if ('problem' in found) return <ProblemNotice of={found} />;
  const { query = '', hits, unsure, notice } = found.answer;
  const [best = unsure[0]] = hits;
  return (
    <div ref={list}>
      {hits.length === 0 && (
        <h2 class="no-answer">{unsure.length > 0 ? 'No sure answer' : 'Nothing was found'}</h2>
      )}
      {notice && (
        <p class="notice" dir="auto">
          {notice}
        </p>
      )}
      {parts && server.value?.judging && (
        <parts.UnanswerableButton query={query} collection={best?.collection} />
      )}
      {hits.length > 0 && <h2 class="hidden">Hits</h2>}
      <ol class="hits">
        {hits.map((hit) => (
          <HitView key={hit.chunk_id} hit={hit} />
        ))}
      </ol>
      {unsure.length > 0 && <h2 class="unsure">Not sure that these answer it</h2>}
      <ol class="hits unsure">
        {unsure.map((hit) => (
          <HitView key={hit.chunk_id} hit={hit} />
        ))}
      </ol>
    </div>
  );
}

/** Keeps the focus on the same hit when its place changes: a browser drops the focus of an element that is moved. */
function useKeptFocus(list: { readonly current: HTMLElement | null }, answer: unknown): void {
  const selected = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    const now = document.activeElement;
    if (now === document.body && selected.current !== undefined) {
      const again = list.current?.querySelector<HTMLElement>(`[data-chunk="${selected.current}"]`);
      again?.focus({ preventScroll: true });
    }
  }, [answer]);
  useLayoutEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      selected.current = (target as HTMLElement).dataset.chunk;
    };
    addEventListener('focusin', remember);
    return () => removeEventListener('focusin', remember);
  }, []);
}
