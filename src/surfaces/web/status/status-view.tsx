/** What the index holds, how fresh it is, what happens to it, and what needs care. */
import { useEffect, useState } from 'preact/hooks';
import { ProblemNotice } from '../controls.tsx';
import { usePage } from '../page.ts';
import { BrokenLinks, Duplicates, LeftOut, Sizes } from './care.tsx';
import { createLiveStatus, type LiveStatus, type StatusAnswer } from './live-status.ts';
import { Health, Now, SearchTimes } from './server.tsx';
import './status.css';
import { formatBytes } from '../../../core/text/format-numbers.ts';

export function StatusView() {
  const page = usePage();
  const [followed, setFollowed] = useState<LiveStatus | undefined>();
  useEffect(() => {
    const made = createLiveStatus(page);
    setFollowed(made);
    return made.close;
  }, []);
  return followed ? <Shown live={followed} /> : null;
}

function Shown({ live }: { readonly live: LiveStatus }) {
  const status = usePage().status.value;
  const audit = live.audit.value;
  const { list: load } = live;
  return (
    <>
      <ProblemNotice of={{ problem: live.problem.value }} />
      {status && (
        <div class="parts">
          <div>
            <Now live={live} />
            <Facts status={status} />
            {status.server && <SearchTimes searches={status.server.searches} />}
            <Health />
          </div>
          <div>
            {/* Stands first, because it is known before the lists below. */}
            <LeftOut skipped={status.skipped} warnings={status.warnings} />
            {audit && <BrokenLinks links={audit.broken_links} load={load} />}
            {audit && <Duplicates duplicates={audit.duplicates} load={load} />}
          </div>
          <div>{audit && <Sizes sizes={audit.sizes} load={load} />}</div>
        </div>
      )}
    </>
  );
}

function Facts({ status }: { readonly status: StatusAnswer }) {
  const { index, links, collections, kept_vectors, last_error, server } = status;
  const missing = index.chunks - index.embedded;
  const models = index.models?.map(
    ({ model, embedded, of }) => `${model}, ${embedded.toLocaleString()} of ${of.toLocaleString()} passages`,
  );
  const rows = [
    ['Up to date', index.updated ? new Date(index.updated).toLocaleString() : 'not yet'],
    ['Documents', index.documents.toLocaleString()],
    ['Passages', index.chunks.toLocaleString()],
    ['Without vectors', missing > 0 && `${missing.toLocaleString()} passages, found by words alone`],
    ['Links', links.toLocaleString()],
    ...(models ?? [index.model]).map((model) => ['Model', model] as const),
    ['Size on disk', formatBytes(status.bytes)],
    [
      'Kept vectors',
      kept_vectors > 0 && `${kept_vectors.toLocaleString()}, of removed passages, in case they come back`,
    ],
    ['Index', status.index_path],
    ['Server', server && `docfuse ${server.version}, since ${new Date(server.started).toLocaleString()}`],
  ] as const;
  return (
    <section aria-labelledby="index">
      <h2 id="index">Index</h2>
      {last_error && (
        <p class="notice" dir="auto">
          The last error: {last_error}
        </p>
      )}
      <dl class="rows">
        {rows.map(
          ([name, value]) =>
            value && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <bdi>{value}</bdi>
                </dd>
              </div>
            ),
        )}
      </dl>
      <h3>Collections</h3>
      <ul class="entries">
        {collections.map(({ name, root, documents }) => (
          <li key={name}>
            <bdi>{name}</bdi>: {documents.toLocaleString()} {documents === 1 ? 'document' : 'documents'} in{' '}
            <bdi class="path">{root}</bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}
