/** The page as a whole: search at the top, what was found below it, and the open document beside it. */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { FilterBar } from './filter-bar.tsx';
import { HitList } from './hit-list.tsx';
import { MeaningSwitch } from './meaning-switch.tsx';
import { EditorChoice } from './open-in-editor.tsx';
import { type Page, PageContext, usePage } from './page.ts';
import { SearchBox } from './search-box.tsx';
import { Start } from './start.tsx';
import { StatusLine } from './status-line.tsx';
import { NotLoaded, useLater, VIEW_LABELS, View, ViewLinks } from './views.tsx';

/** Loaded late, because only a server with a language model needs the view. */
const loadAnswer = async () => (await import('./asking/answer-view.tsx')).AnswerView;

/** Loaded late, because most readers never open the help. */
const loadHelp = async () => (await import('./help.tsx')).Help;

/** Loaded early if there is a server; in an export, loaded with the first document that is opened. */
const loadPane = async () => (await import('./reading-pane.tsx')).ReadingPane;

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
  const isOpen = usePage().isHelpOpen.value;
  const { Shown: Help, failed } = useLater(isOpen ? loadHelp : undefined);
  if (!isOpen) return null;
  return Help ? <Help /> : failed && <NotLoaded what="help" />;
}

function Body() {
  const { session, views, parts, place } = usePage();
  const { view: asked, document: open } = place.value;
  const { Shown: ReadingPane, failed } = useLater(open ? loadPane : undefined);
  // Load the pane early: the server may go away before a document is opened.
  useEffect(() => {
    if (session.connection) loadPane().catch(() => undefined);
  }, []);
  // The view of grades is shown even where grades are not saved: it says how to save them.
  const isShown = views.includes(asked) || (parts && asked === 'judged');
  const view = isShown ? asked : 'search';
  const former = useRef(view);
  useLayoutEffect(() => {
    if (former.current !== view) scrollTo(0, 0);
    former.current = view;
  }, [view]);
  return (
    <main class={`in-${view} ${open ? 'reading' : ''}`}>
      <h1 class="hidden">{VIEW_LABELS[view]}</h1>
      {view === 'search' ? <Results /> : <View key={view} name={view} />}
      {open && ReadingPane && <ReadingPane id={open.id} />}
      {open && failed && <NotLoaded what="document" />}
    </main>
  );
}

function Results() {
  const { place, isReady, server } = usePage();
  const load = server.value?.answers && loadAnswer;
  const { Shown: AnswerView, failed } = useLater(load);
  // Draw the hits only when the parts above them are there: a part that appears later would move the hits.
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
