/** Below a document: the documents it links to and those that link to it, with previews, and similar passages of others. */
import { useEffect, useState } from 'preact/hooks';
import { plainMarkdown } from '../../core/text/plain-markdown.ts';
import { ProblemNotice } from './controls.tsx';
import { DocumentLink, plainTitle } from './document-link.tsx';
import type { Linked } from './document-text.tsx';
import type { Hit } from './finder.ts';
import { readAgain } from './live.ts';
import { usePage } from './page.ts';
import type { OpenDocument } from './place.ts';
import type { ReadText } from './reader.ts';
import type { AnswerTo, Outcome } from './session.ts';

type Related = AnswerTo<'/api/related'>;

/** Characters of a preview. */
const PREVIEW = 400;
/** Max similar passages, and max words of the query that searches for them. */
const [SIMILAR, WORDS] = [5, 40];

interface Props {
  readonly id: string;
  readonly lines: OpenDocument['lines'];
  readonly onLinked: (linked: Linked) => void;
}

export function RelatedDocuments({ id, lines, onLinked }: Props) {
  const { session, reader, live } = usePage();
  const [related, setRelated] = useState<Outcome<Related> | undefined>();
  const [similar, setSimilar] = useState<readonly (Related['similar'][number] | Hit)[]>([]);
  const document = lines ? `${id}:${lines.join('-')}` : id;

  async function load(stop?: AbortSignal): Promise<void> {
    const outcome = await session.ask('/api/related', { document }, stop);
    if (!outcome || stop?.aborted) return;
    // Keep the last answer while the server is away.
    setRelated((before) => (outcome.problem && before?.answer ? before : outcome));
    if (!outcome.answer) return;
    const { linked: pages, linked_count } = outcome.answer;
    onLinked({ pages, isWhole: pages.length === linked_count });
    const read = reader.shown.peek()?.answer;
    const isFound = outcome.answer.similar.length > 0;
    if (isFound) setSimilar(outcome.answer.similar);
    // Do not search in an export: each word would load a file.
    if (isFound || !session.connection || !read) return;
    const like = likeLines(read, lines);
    if (like.query === '') return;
    const byWords = await session.ask('/api/search', like, stop);
    if (!byWords?.answer || stop?.aborted) return;
    const { hits, unsure } = byWords.answer;
    setSimilar([...hits, ...unsure].filter(({ document_id }) => document_id !== id).slice(0, SIMILAR));
  }

  useEffect(() => {
    setRelated(undefined);
    setSimilar([]);
  }, [id]);
  useEffect(() => readAgain(live, (stop) => void load(stop)), [document]);
  if (!related) return null;
  if (!related.answer)
    return (
      <div class="related">
        <h3>Links and similar passages</h3>
        <ProblemNotice of={related} />
        <button type="button" onClick={() => void load()}>
          Try again
        </button>
      </div>
    );
  const { linked, linked_count } = related.answer;
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
        <section aria-label="Similar passages">
          <h3>{lines ? 'Similar to the marked lines' : 'Similar to this document'}</h3>
          <ul>
            {similar.map(({ document_id, title, path, heading_path, start_line, end_line }) => {
              const next = { id: document_id, lines: [start_line, end_line] as const };
              return (
                <li key={document_id}>
                  <DocumentLink to={next} title={path}>
                    {plainTitle(heading_path.join(' › ') || title)}
                  </DocumentLink>
                  <Preview next={next} />
                </li>
              );
            })}
          </ul>
        </section>
      )}
    </div>
  );
}

/** The input of a search by words for passages like these lines, for indexes without vectors. */
function likeLines({ text, start_line, path }: ReadText, lines: OpenDocument['lines']) {
  const [first, last] = lines ?? [start_line, start_line + 20];
  // Lines above the part that is shown are left out.
  const at = (line: number) => Math.max(0, line - start_line);
  const about = text.split('\n').slice(at(first), at(last + 1));
  // Keep only words, because other signs could be read as the syntax of queries.
  const words = plainMarkdown(about.join('\n')).text.match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  const query = [...new Set(words)].slice(0, WORDS).join(' ');
  const options = { mode: 'keyword', parents: false, sync: false, wait: false } as const;
  return { query, ...options, top_n: SIMILAR + 1, per_document: 1, filters: { exclude: [path] } };
}

interface LinksProps {
  readonly title: string;
  readonly linked: Related['linked'];
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

/** Shows the beginning of a document, or the given lines. They are read when the preview is opened. */
function Preview({ next: { id, lines } }: { readonly next: OpenDocument }) {
  const { session } = usePage();
  const [text, setText] = useState('');
  async function load(): Promise<void> {
    const input = { document: id, max_chars: PREVIEW, start_line: lines?.[0], end_line: lines?.[1] };
    const outcome = await session.ask('/api/documents/{document}', input);
    if (!outcome) return;
    setText(outcome.answer ? plainMarkdown(outcome.answer.text).text.trim() : outcome.problem.detail);
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
