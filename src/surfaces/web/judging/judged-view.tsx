/** The judged queries, and what tuning to them would gain. */
import { useEffect, useState } from 'preact/hooks';
import { ProblemNotice } from '../controls.tsx';
import { DocumentLink, PlaceLink } from '../document-link.tsx';
import { usePage } from '../page.ts';
import { Gain } from './gain.tsx';
import { JudgeButtons } from './judge-buttons.tsx';
import type { Sets } from './judgements.ts';

/** Number of queries that are shown at first, and that each click adds. */
const PAGE = 100;

type Judged = Sets[number]['queries'][number] & Pick<Sets[number], 'collection'>;

export function JudgedView() {
  const { server, ...page } = usePage();
  const judgements = page.judgements!;
  const [count, setCount] = useState(PAGE);
  const isOn = server.value?.judging;
  useEffect(() => {
    if (isOn) void judgements.load();
  }, [isOn]);
  const kept = judgements.kept.value;
  if (isOn === false) {
    return (
      <p class="notice">
        This server saves no grades. Start it with <code>docfuse serve --judge</code>, or set{' '}
        <code>judge = true</code> under <code>[server]</code>.
      </p>
    );
  }
  if (!kept) return <p>Reading…</p>;
  if (!kept.answer) return <ProblemNotice of={kept} />;
  const queries = kept.answer.sets.flatMap(({ collection, queries }) =>
    queries.map((judged) => ({ ...judged, collection })),
  );
  if (queries.length === 0) return <p>Nothing was judged yet. Search, and press a button below a hit.</p>;
  const folders = kept.answer.sets.filter((set) => set.queries.length > 0).map((set) => set.set_folder);
  return (
    <>
      <h2>{queries.length === 1 ? '1 judged query' : `${queries.length} judged queries`}</h2>
      <p>
        <code>docfuse eval</code> measures by these grades, and <code>docfuse tune</code> fits the settings to
        them. They are kept in{' '}
        {folders.map((folder) => (
          <bdi key={folder} class="path">
            {folder}
          </bdi>
        ))}
        .
      </p>
      <Gain />
      <ul class="judged-queries">
        {queries.slice(0, count).map((each) => (
          <Query key={`${each.collection}/${each.query}`} judged={each} />
        ))}
      </ul>
      {queries.length > count && (
        <button type="button" onClick={() => setCount(count + PAGE)}>
          Show more
        </button>
      )}
    </>
  );
}

function Query({ judged }: { readonly judged: Judged }) {
  const { query, unanswerable, collection, judgements: given } = judged;
  const judgements = usePage().judgements!;
  return (
    <li>
      <h3 dir="auto">
        <PlaceLink to={{ view: 'search', query, document: undefined }}>{query}</PlaceLink>
      </h3>
      {unanswerable && <p>No document answers it.</p>}
      <ul>
        {given.map(({ document_id, path }) => (
          <li key={document_id}>
            <DocumentLink to={{ id: document_id }}>{path}</DocumentLink>
            <JudgeButtons query={query} documentId={document_id} title={path} />
          </li>
        ))}
      </ul>
      <button type="button" class="link" onClick={() => void judgements.forget(query, collection)}>
        Remove this query
      </button>
    </li>
  );
}
