/** What the server does now, and the documents that changed while the view was shown. */
import { DocumentLink } from '../document-link.tsx';
import { Progress } from '../progress.tsx';
import { BoundedList } from './bounded-list.tsx';
import type { LiveStatus, SeenChange } from './live-status.ts';

export function Now({ live: { work, changes } }: { readonly live: LiveStatus }) {
  const changed = changes.value;
  return (
    <section aria-labelledby="now">
      <h2 id="now">Now</h2>
      {work.value ? <Progress {...work.value} /> : <p role="status">The server waits for changes.</p>}
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
