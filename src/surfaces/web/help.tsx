/** The keys of the page, and what may be written in a query. */
import { ModalDialog } from './modal-dialog.tsx';
import { usePage } from './page.ts';

/** A key or a part of a query, what it does, and `server` if only a server can do it. */
type Row = readonly [string, string, 'server'?];

const KEYS: readonly Row[] = [
  ['/', 'Go to the query'],
  ['↓ ↑', 'Go through the hits'],
  ['Enter', 'Open the hit, or the first one'],
  ['Ctrl+Enter', 'Answer the query, if a language model is set up', 'server'],
  ['Esc', 'Close the document, or go back to the query'],
  ['2 1 0', 'On a hit: it answers, helps, does not answer, if the server saves grades', 'server'],
  ['?', 'Show this help'],
];

const SYNTAX: readonly Row[] = [
  ['"exact phrase"', 'these words in this order', 'server'],
  ['-word', 'without this word'],
  ['pre*', 'words that begin so'],
  ['tag:x  path:x  author:x', 'only such documents'],
];

export function Help() {
  const { session, isHelpOpen } = usePage();
  const offered = ([, , where]: Row) => !where || session.connection;
  return (
    <ModalDialog label="Help" close={() => (isHelpOpen.value = false)}>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
      <h2>Keys</h2>
      <Rows rows={KEYS.filter(offered)} />
      <h2>In a query</h2>
      <Rows rows={SYNTAX.filter(offered)} />
      {session.connection && (
        <p>
          Programs use the <a href="/openapi.json">HTTP API</a>.
        </p>
      )}
    </ModalDialog>
  );
}

function Rows({ rows }: { readonly rows: readonly Row[] }) {
  return (
    <dl class="rows">
      {rows.map(([name, meaning]) => (
        <div key={name}>
          <dt>
            <kbd>{name}</kbd>
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}
