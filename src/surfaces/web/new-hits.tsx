/** A button for other hits, or other documents in the list, after the index has changed. The reader decides when they are shown. */
import { useEffect, useState } from 'preact/hooks';
import { inputOfList, type Listed, PAGE } from './document-list.ts';
import { type Answer, inputOf } from './finder.ts';
import { readAgain } from './live.ts';
import { type Page, usePage } from './page.ts';
import { SEARCH_FIELD } from './search-box.tsx';

export function NewHits() {
  const page = usePage();
  const [isNew, setIsNew] = useState(false);
  const shown = shownOf(page);
  useEffect(() => setIsNew(false), [shown]);
  useEffect(() => readAgain(page.live, (stop) => void look(page, stop).then(setIsNew)), []);
  return (
    <span role="status">
      {isNew && (
        <button
          type="button"
          class="link"
          onClick={({ detail }) => {
            page.session.connection?.askAgain();
            // The button disappears, so a user of the keyboard needs another place for the focus.
            if (detail === 0) document.getElementById(SEARCH_FIELD)?.focus();
          }}
        >
          Update the {isSearch(page) ? 'hits' : 'list'}
        </button>
      )}
    </span>
  );
}

const isSearch = ({ place }: Page) => place.value.query.trim() !== '';
const shownOf = (page: Page) => (isSearch(page) ? page.finder.found.value : page.listed.value);

/** Asks again for what is shown. Returns whether the new answer differs. */
async function look(page: Page, stop: AbortSignal): Promise<boolean> {
  const { session, finder, place } = page;
  const before = shownOf(page);
  // A search that is running will show the new hits.
  if (!before || finder.phase.value) return false;
  const after = isSearch(page)
    ? await session.ask('/api/search', { ...inputOf(place.value), rerank: true }, stop)
    : await session.ask('/api/documents', inputOfList(place.value), stop);
  if (!after?.answer || !before.answer || shownOf(page) !== before) return false;
  return namesIn(after.answer) !== namesIn(before.answer);
}

/** The ids of what is shown, as text. For documents the order counts, for hits it does not. */
function namesIn(answer: Answer | Listed): string {
  if ('documents' in answer) {
    const first = answer.documents.slice(0, PAGE);
    return JSON.stringify([answer.total, first.map(({ document_id }) => document_id)]);
  }
  const hits = [...answer.hits, ...answer.unsure];
  return JSON.stringify(hits.map(({ chunk_id, snippet }) => `${chunk_id} ${snippet.text}`).toSorted());
}
