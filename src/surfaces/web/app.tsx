/** The page as a whole: search at the top, what was found below it, and the open document beside it. */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { FilterBar } from './filter-bar.tsx';
import { HitList } from './hit-list.tsx';
import { MeaningSwitch } from './meaning-switch.tsx';
import { EditorChoice } from './open-in-editor.tsx';
import { type Page, PageContext, usePage } from './page.ts';
import { ReadingPane } from './reading-pane.tsx';
import { SearchBox } from './search-box.tsx';
import { Start } from './start.tsx';
import { StatusLine } from './status-line.tsx';
import { useLater, VIEW_LABELS, View, ViewLinks } from './views.tsx';

/** Only a server with a language model needs it. */
const loadAnswer = async () => (await import('./asking/answer-view.tsx')).AnswerView;

/** Most readers never open it. */
const loadHelp = async () => (await import('./help.tsx')).Help;

export function App({ page }: { readonly page: Page }) {
  return (
    <PageContext.Provider value={page}>
      <header class="bar">
        <a class="home" href="./">
          docfuse
        </a>
        <SearchBox />
        <ViewLinks />
        <button
          type="button"
          aria-label="Help"
          title="Help (?)"
          onClick={() => (page.isHelpOpen.value = true)}
        >
          ?
        </button>
      </header>
      <Body />
      <Footer />
      {page.parts && <page.parts.TokenDialog />}
      <LaterHelp />
      <p class="message" role="status">
        {page.message}
      </p>
    </PageContext.Provider>
  );
}

function LaterHelp() {
  const { isHelpOpen, message } = usePage();
  const isWanted = isHelpOpen.value;
  const { Shown: Help, failed } = useLater(isWanted ? loadHelp : undefined);
  useEffect(() => {
    if (!failed || !isWanted) return;
    message.value = 'The help could not be loaded. Load the page again.';
    isHelpOpen.value = false;
  }, [failed, isWanted]);
  return isWanted && Help ? <Help /> : null;
}

function Body() {
  const { session, place } = usePage();
  const { view: asked, document: open } = place.value;
  const view = session.views.includes(asked) ? asked : 'search';
  const former = useRef(view);
  useLayoutEffect(() => {
    if (former.current !== view) scrollTo(0, 0);
    former.current = view;
  }, [view]);
  return (
    <main class={`in-${view} ${open ? 'reading' : ''}`}>
      <h1 class="hidden">{VIEW_LABELS[view]}</h1>
      {view === 'search' ? <Results /> : <View key={view} name={view} />}
      {open && <ReadingPane id={open.id} />}
    </main>
  );
}

function Results() {
  const { place, isReady, server } = usePage();
  const load = server.value?.answers && loadAnswer;
  const { Shown: AnswerView, failed } = useLater(load);
  // Hits are not moved by what stands above them.
  const isDrawn = useRef(false);
  isDrawn.current ||= isReady.value && (!load || AnswerView !== undefined || failed === true);
  return (
    <section class="results" aria-label="Results">
      <FilterBar />
      <MeaningSwitch />
      <StatusLine />
      {place.value.query.trim() === '' ? (
        <Start />
      ) : (
        isDrawn.current && (
          <>
            {AnswerView && <AnswerView />}
            <HitList />
          </>
        )
      )}
    </section>
  );
}

function Footer() {
  const { session, server } = usePage();
  const elsewhere = server.value?.answers ? ', unless you ask for an answer' : '';
  return (
    <footer>
      {session.connection && <EditorChoice />}
      <span>
        {session.connection
          ? `Your documents and questions stay on the server that shows this page${elsewhere}.`
          : 'Your questions stay in this browser. It loads parts of the index as it needs them.'}
      </span>
    </footer>
  );
}
