/** The hits of the latest answer: sure ones, then those that may not answer the query. */
import { useRef } from 'preact/hooks';
import { ProblemNotice } from './controls.tsx';
import { HitView } from './hit-view.tsx';
import { usePage } from './page.ts';
import { useSteadyHits } from './steady-hits.ts';

export function HitList() {
  const { finder, place, server, parts } = usePage();
  const found = finder.found.value;
  const list = useRef<HTMLDivElement>(null);
  useSteadyHits(list, found?.answer);
  if (found === undefined) return null;
  if (!found.answer) return <ProblemNotice of={found} />;
  const { query = '', query_type, hits, unsure, notice } = found.answer;
  const { filters } = place.value;
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
      {parts && server.value?.judging && filters.length === 0 && query_type && (
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
