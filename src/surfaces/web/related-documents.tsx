/** Below a document: its links, the documents that link to it, each with a preview, and similar ones. */
import { useEffect, useState } from 'preact/hooks';
import { plainMarkdown } from '../../core/text/plain-markdown.ts';
import type { AnswerOf } from '../operations/operation.ts';
import type { relatedDocuments } from '../operations/related-documents.ts';
import { DocumentLink, plainTitle } from './document-link.tsx';
import { usePage } from './page.ts';
import type { OpenDocument } from './place.ts';

type Related = AnswerOf<typeof relatedDocuments>;
type Linked = Related['linked'][number];

/** Characters of a preview. */
const PREVIEW = 400;

export function RelatedDocuments({ id }: { readonly id: string }) {
  const { session } = usePage();
  const [related, setRelated] = useState<Related | undefined>();
  useEffect(() => {
    const stop = new AbortController();
    setRelated(undefined);
    void session.ask('/api/related', { document: id }, stop.signal).then((outcome) => {
      if (outcome && 'answer' in outcome && !stop.signal.aborted) setRelated(outcome.answer);
    });
    return () => stop.abort();
  }, [id]);
  if (!related) return null;
  const { linked, linked_count, similar } = related;
  return (
    <div class="related">
      <Links title="Links to" linked={linked} direction="out" />
      <Links title="Linked from" linked={linked} direction="in" />
      {linked_count > linked.length && (
        <p class="facts">
          {linked.length} of {linked_count.toLocaleString()} linked documents are listed.
        </p>
      )}
      {similar.length > 0 && (
        <section aria-label="Similar documents">
          <h3>Similar</h3>
          <ul>
            {similar.map(({ document_id, title, path }) => (
              <li key={document_id}>
                <DocumentLink to={{ id: document_id }} title={path}>
                  {plainTitle(title)}
                </DocumentLink>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

interface LinksProps {
  readonly title: string;
  readonly linked: readonly Linked[];
  readonly direction: 'out' | 'in';
}

function Links({ title, linked, direction }: LinksProps) {
  const shown = linked.filter(({ links }) => links.some((link) => link.direction === direction));
  if (shown.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {shown.map((each) => {
          const line = each.links.find((link) => link.direction === direction)!.line;
          const next = { id: each.document_id, ...(direction === 'in' && { lines: [line, line] as const }) };
          return (
            <li key={each.document_id}>
              <DocumentLink to={next} title={each.path}>
                {plainTitle(each.title)}
              </DocumentLink>
              <Preview next={next} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** The beginning of a document, or the line that links here, read when it is opened. */
function Preview({ next: { id, lines } }: { readonly next: OpenDocument }) {
  const { session } = usePage();
  const [text, setText] = useState('');
  async function load(): Promise<void> {
    const place = lines ? { start_line: lines[0], end_line: lines[1] } : {};
    const input = { document: id, max_chars: PREVIEW, ...place };
    const outcome = await session.ask('/api/documents/{document}', input);
    if (!outcome) return;
    setText('answer' in outcome ? plainMarkdown(outcome.answer.text).text.trim() : outcome.problem.detail);
  }
  return (
    <details
      class="preview"
      onToggle={({ currentTarget }) => currentTarget.open && text === '' && void load()}
    >
      <summary>Preview</summary>
      <p dir="auto">{text}</p>
    </details>
  );
}
