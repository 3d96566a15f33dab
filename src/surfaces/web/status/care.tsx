/** Lists of what may need care: broken links, files left out, copies, long documents. Most entries link to a document. */
import type { ComponentChildren } from 'preact';
import { formatBytes } from '../../../core/text/format-numbers.ts';
import { LEFT_OUT } from '../../operations/labels.ts';
import { DocumentLink } from '../document-link.tsx';
import { BoundedList } from './bounded-list.tsx';
import type { AuditAnswer, StatusAnswer } from './live-status.ts';
import { Plot } from './plot.tsx';

type Loads = { readonly load: (wanted: number) => void };

export function BrokenLinks({ links, load }: { readonly links: AuditAnswer['broken_links'] } & Loads) {
  const { count, shown } = links;
  return (
    <Part name="Broken links" count={count} none="All links lead to a document.">
      <BoundedList
        count={count}
        load={load}
        entries={shown}
        show={({ document_id, path, line, target }) => (
          <>
            <DocumentLink to={{ id: document_id, lines: [line, line] }}>
              {path}:{line}
            </DocumentLink>{' '}
            links to <bdi class="path">{target}</bdi>
          </>
        )}
      />
    </Part>
  );
}

export function Duplicates({ duplicates, load }: { readonly duplicates: AuditAnswer['duplicates'] } & Loads) {
  const { count, documents, shown } = duplicates;
  return (
    <Part name="Copies" count={documents} none="No document is a copy of another.">
      <p class="quiet">Documents in which at least 80 % of the passages are the same, word for word.</p>
      <BoundedList
        count={count}
        load={load}
        entries={shown}
        show={({ document_id, path, copies, copy_count }) => (
          <>
            <DocumentLink to={{ id: document_id }}>{path}</DocumentLink>
            <ul>
              {copies.slice(0, MAX_COPIES).map((copy) => (
                <li key={copy.document_id}>
                  <DocumentLink to={{ id: copy.document_id }}>{copy.path}</DocumentLink>{' '}
                  {copy.share < 1 ? `${Math.floor(copy.share * 100)} % the same` : 'all the same'}
                </li>
              ))}
              {copy_count > MAX_COPIES && <li>{(copy_count - MAX_COPIES).toLocaleString()} more</li>}
            </ul>
          </>
        )}
      />
    </Part>
  );
}
const MAX_COPIES = 5;

export function LeftOut({ skipped, warnings }: Pick<StatusAnswer, 'skipped' | 'warnings'>) {
  return (
    <>
      <Part name="Files left out" count={skipped.length} none="No file was left out.">
        <BoundedList
          entries={skipped}
          show={({ path, reason, detail }) => (
            <>
              <bdi class="path">{path}</bdi> {LEFT_OUT[reason]}
              {detail && `: ${detail}`}
            </>
          )}
        />
      </Part>
      {warnings.length > 0 && (
        <Part name="Warnings" count={warnings.length}>
          <p class="quiet">About documents that are in the index.</p>
          <BoundedList
            entries={warnings}
            show={({ path, message }) => (
              <>
                <DocumentLink to={{ id: path }}>{path}</DocumentLink> <span dir="auto">{message}</span>
              </>
            )}
          />
        </Part>
      )}
    </>
  );
}

export function Sizes({ sizes, load }: { readonly sizes: AuditAnswer['sizes'] } & Loads) {
  const { largest, spread } = sizes;
  const documents = spread.reduce((sum, each) => sum + each.documents, 0);
  if (documents === 0) return null;
  return (
    <section aria-labelledby="sizes">
      <h2 id="sizes">Most passages</h2>
      <BoundedList
        count={documents}
        load={load}
        entries={largest}
        show={({ document_id, path, chunks, bytes: size }) => (
          <>
            <DocumentLink to={{ id: document_id }}>{path}</DocumentLink> {chunks.toLocaleString()}{' '}
            {chunks === 1 ? 'passage' : 'passages'}, {formatBytes(size)}
          </>
        )}
      />
      <h3>Documents by number of passages</h3>
      <Plot
        bars={spread.map((each) => each.documents)}
        nameOf={(bar) => `${spread[bar]?.up_to ?? ''}`}
        labels={{ x: 'passages, at most', y: 'documents' }}
      />
      <details>
        <summary>As a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Passages</th>
              <th scope="col">Documents</th>
            </tr>
          </thead>
          <tbody>
            {spread.map(({ up_to, documents: found }) => (
              <tr key={up_to}>
                <td>{up_to < 3 ? up_to : `${up_to / 2 + 1}–${up_to}`}</td>
                <td>{found.toLocaleString()}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}

interface PartProps {
  readonly name: string;
  readonly count: number;
  /** What is shown in place of an empty list. */
  readonly none?: string;
  readonly children: ComponentChildren;
}

function Part({ name, count, none, children }: PartProps) {
  return (
    <section aria-label={name}>
      <h2>
        {name} {count > 0 && <span class="quiet">{count.toLocaleString()}</span>}
      </h2>
      {count > 0 ? children : <p>{none}</p>}
    </section>
  );
}
