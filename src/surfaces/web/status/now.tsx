/** What the server does now, and the documents that changed while the view was shown. */
import { DocumentLink } from '../document-link.tsx';
import { BoundedList } from './bounded-list.tsx';
import type { LiveStatus, SeenChange, Work } from './live-status.ts';

const DOING = {
  copying: 'Copying vectors',
  reading: 'Reading files',
  embedding: 'Embedding passages',
} as const;

export function Now({ live: { work, changes } }: { readonly live: LiveStatus }) {
  const changed = changes.value;
  return (
    <section aria-labelledby="now">
      <h2 id="now">Now</h2>
      <Doing work={work.value} />
      {changed.length > 0 && (
        <>
          <h3>Changed just now</h3>
          <BoundedList
            count={changed.length}
            entries={changed}
            show={(change) => <Change change={change} />}
          />
        </>
      )}
    </section>
  );
}

function Doing({ work }: { readonly work: Work }) {
  if (work.state === 'idle') return <p role="status">The server waits for changes.</p>;
  const { state, done, total, share } = work;
  const isKnown = done !== undefined && total !== undefined && total > 0;
  return (
    <>
      {/* The numbers change too often to be read aloud. */}
      <p role="status">{DOING[state]}</p>
      <p>
        <progress aria-label={DOING[state]} {...(isKnown && { value: share ?? done / total, max: 1 })} />{' '}
        {isKnown && `${done.toLocaleString()} of ${total.toLocaleString()}`}
      </p>
    </>
  );
}

function Change({ change: { document, change, at } }: { readonly change: SeenChange }) {
  return (
    <>
      <time dateTime={at.toISOString()}>{at.toLocaleTimeString()}</time> {change}{' '}
      {change === 'removed' ? (
        <bdi class="path">{document}</bdi>
      ) : (
        <DocumentLink to={{ id: document }}>{document}</DocumentLink>
      )}
    </>
  );
}
