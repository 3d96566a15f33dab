/** What is shown without a query: recent queries, and the documents that pass the filters. */
import { useEffect } from 'preact/hooks';
import { Choice, ProblemNotice } from './controls.tsx';
import { DocumentLink, plainTitle } from './document-link.tsx';
import { STOP } from './keys.ts';
import { usePage } from './page.ts';
import { inputOfList, type Listed, type ListOrder } from './place.ts';

const ORDERS: Readonly<Record<ListOrder, string>> = {
  date: 'Newest first',
  title: 'By title',
  path: 'By path',
};

export function Start() {
  return (
    <>
      <Recent />
      <Documents />
    </>
  );
}

function Recent() {
  const { remembered, go } = usePage();
  const queries = remembered.recent.value;
  if (queries.length === 0) return null;
  return (
    <section aria-label="Recent queries">
      <h2>Recent queries</h2>
      <ul class="recent">
        {queries.map((query) => (
          <li key={query}>
            <button {...{ [STOP]: '' }} type="button" class="chip" dir="auto" onClick={() => go({ query })}>
              {query}
            </button>
          </li>
        ))}
      </ul>
      <button type="button" class="link" onClick={remembered.forgetQueries}>
        Forget these
      </button>
    </section>
  );
}

function Documents() {
  const { session, place, go, listed } = usePage();
  const { sort } = place.value;
  const shown = listed.value?.answer;
  const asked = JSON.stringify(inputOfList(place.value));
  const rounds = session.connection?.rounds.value;

  /** @param before the list so far, if its next part is read */
  async function load(stopped?: AbortSignal, before?: Listed): Promise<void> {
    const input = { ...JSON.parse(asked), cursor: before?.next_cursor };
    const outcome = await session.ask('/api/documents', input, stopped);
    if (!outcome || stopped?.aborted) return;
    const documents = [...(before?.documents ?? []), ...(outcome.answer?.documents ?? [])];
    listed.value = outcome.answer ? { answer: { ...outcome.answer, documents } } : outcome;
  }
  useEffect(() => {
    const stopped = new AbortController();
    void load(stopped.signal);
    return () => stopped.abort();
  }, [asked, rounds]);

  return (
    <section aria-label="Documents" class="documents">
      <div class="heading">
        <h2>{shown ? `${shown.total} ${shown.total === 1 ? 'document' : 'documents'}` : 'Documents'}</h2>
        <Choice label="Sort" value={sort} names={ORDERS} choose={(next) => go({ sort: next })} />
      </div>
      <ProblemNotice of={listed.value} />
      {shown && (
        <>
          {shown.notice && <p class="notice">{shown.notice}</p>}
          <ul>
            {shown.documents.map((each) => (
              <Entry key={each.document_id} document={each} />
            ))}
          </ul>
          {shown.next_cursor && (
            <button type="button" onClick={() => load(undefined, shown)}>
              Show more
            </button>
          )}
        </>
      )}
    </section>
  );
}

function Entry({ document }: { readonly document: Listed['documents'][number] }) {
  const { pathOf } = usePage();
  const { document_id, title, modified } = document;
  return (
    <li>
      <DocumentLink to={{ id: document_id }} isStop>
        {plainTitle(title)}
      </DocumentLink>{' '}
      <bdi class="path">{pathOf(document)}</bdi> <time dateTime={modified}>{modified.slice(0, 10)}</time>
    </li>
  );
}
