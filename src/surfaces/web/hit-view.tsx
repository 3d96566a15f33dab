/** One hit: where it is, what it says, how far to trust it, why it was found, and what to do with it. */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { placeIn } from '../../core/text/place.ts';
import { formatPassages } from '../operations/format-passages.ts';
import { CopyButton, Tags } from './controls.tsx';
import { DocumentLink, plainTitle } from './document-link.tsx';
import { type Hit, linesOf } from './finder.ts';
import { OpenInEditor } from './open-in-editor.tsx';
import { usePage } from './page.ts';
import { Snippet } from './snippet.tsx';

export function HitView({ hit }: { readonly hit: Hit }) {
  const { server, finder, parts, pathOf } = usePage();
  // The query that found the hit: the field may hold a newer one.
  const { query, query_type } = finder.found.value?.answer ?? {};
  const next = { id: hit.document_id, lines: linesOf(hit) };
  const [title = plainTitle(hit.title), ...headings] = hit.heading_path.map(plainTitle);
  return (
    <li class="hit">
      <h3 dir="auto">
        <DocumentLink to={next} isStop chunkId={hit.chunk_id}>
          {title}
        </DocumentLink>
        {headings.length > 0 && <span class="headings"> › {headings.join(' › ')}</span>}
      </h3>
      <p class="facts">
        {/* If the query has only filters, the hits have no confidence: all of them pass the filters. */}
        {query_type && <Confidence hit={hit} />}
        <bdi class="path">{placeIn(pathOf(hit), hit)}</bdi>
        <time dateTime={hit.modified}>{hit.modified.slice(0, 10)}</time>
        <Tags tags={hit.tags} />
      </p>
      <Snippet hit={hit} />
      <Merged hit={hit} />
      <div class="actions">
        <OpenInEditor file={hit.file} line={hit.line} />
        <CopyButton label="Copy citation" text={() => placeIn(pathOf(hit), hit)} />
        <CopyButton label="Copy for a prompt" text={() => formatPassages([hit], () => pathOf(hit))} />
        {parts && server.value?.judging && query && (
          <parts.JudgeButtons query={query} documentId={hit.document_id} title={title} />
        )}
        <Why hit={hit} />
      </div>
    </li>
  );
}

/** What the levels of confidence mean. A hit that matches well may still be the wrong one, if other hits match as well. */
const MEANINGS = {
  high: 'likely the right one',
  fair: 'may be the right one',
  low: 'perhaps not the right one',
} as const;

/** A word, a bar as long as the confidence, and what both mean. */
function Confidence({ hit: { confidence, score } }: { readonly hit: Hit }) {
  return (
    <span class={`confidence ${confidence}`} title={`Confidence ${score.toFixed(2)}`}>
      <b>{confidence}</b>
      <span class="meter" aria-hidden="true">
        <span style={{ width: `${Math.round(score * 100)}%` }} />
      </span>
      {score < 0.5 ? 'not close' : 'close'}, {MEANINGS[confidence]}
    </span>
  );
}

function Merged({ hit: { merged = [] } }: { readonly hit: Hit }) {
  const { open, pathOf } = usePage();
  if (merged.length === 0) return null;
  return (
    <details class="merged">
      <summary>
        Also in {merged.length} other {merged.length === 1 ? 'place' : 'places'}
      </summary>
      <ul>
        {merged.map(({ chunk_id, document_id, path, start_line }) => (
          <li key={chunk_id}>
            <button
              type="button"
              class="link"
              dir="auto"
              onClick={() => open({ id: document_id, lines: [start_line, start_line] })}
            >
              {pathOf({ document_id, path })}:{start_line}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The explanation and its view are loaded when somebody asks. */
function Why({ hit: { chunk_id } }: { readonly hit: Hit }) {
  const { finder } = usePage();
  const [isOpen, setOpen] = useState(false);
  const [shown, setShown] = useState<VNode>();
  // Explain the hit again after a new answer, which may have it for other reasons.
  const answer = finder.phase.value === undefined ? finder.found.value : undefined;
  useEffect(() => {
    if (!isOpen || !answer) return undefined;
    // A former explanation stays until the next one is there.
    setShown((former) => former ?? <p>Asking…</p>);
    let isLatest = true;
    void explain(finder.explain(chunk_id)).then((view) => {
      if (isLatest) setShown(view);
    });
    return () => {
      isLatest = false;
    };
  }, [isOpen, answer, chunk_id]);
  return (
    <details class="why" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Why this hit</summary>
      {shown}
    </details>
  );
}

async function explain(asked: Promise<Hit['explanation'] | undefined>): Promise<VNode> {
  const loaded = import('./explanation.tsx').catch(() => undefined);
  const [view, explanation] = await Promise.all([loaded, asked.catch(() => 'lost' as const)]);
  if (!view || explanation === 'lost')
    return <p>The explanation could not be loaded. Load the page again when the server runs.</p>;
  return explanation ? <view.Explanation of={explanation} /> : <p>This hit is no longer found.</p>;
}
