/** The parts of the page that need a server. The page of an export does not load them. */
import { useEffect, useState } from 'preact/hooks';
import { createAsking } from './asking/asking.ts';
import { type Answer, inputOf } from './finder.ts';
import { JudgeButtons, UnanswerableButton } from './judging/judge-buttons.tsx';
import { createJudgements } from './judging/judgements.ts';
import { readAgain } from './live.ts';
import { ModalDialog } from './modal-dialog.tsx';
import { type Page, type ServerParts, usePage } from './page.ts';
import { inputOfList, type Listed, PAGE } from './place.ts';
import { SEARCH_FIELD } from './search-box.tsx';

export const serverParts: ServerParts = {
  createAsking,
  createJudgements,
  JudgeButtons,
  NewHits,
  TokenDialog,
  UnanswerableButton,
};

/** Asks for the token, once for each tab. */
function TokenDialog() {
  const { connection } = usePage().session;
  const state = connection?.token.value ?? 'fine';
  if (state === 'fine') return null;
  return (
    <ModalDialog label="Token">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          connection!.giveToken(String(new FormData(event.currentTarget).get('token')));
        }}
      >
        <h2>This server needs a token</h2>
        <p>{state === 'wrong' ? 'That token is wrong. ' : ''}It is kept until this tab is closed.</p>
        <label>
          Token <input name="token" type="password" autocomplete="off" required pattern="\s*[!-~]+\s*" />
        </label>{' '}
        <button type="submit">Continue</button>
      </form>
    </ModalDialog>
  );
}

/** After a change of the index, offers to show the new hits or the new list of documents. The reader decides when. */
function NewHits() {
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
