/** What a tool answers, as text for a reader: passages with citations, the document itself, or the fields of the answer. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { stringify } from 'yaml';
import { ask } from '../operations/ask.ts';
import { listDocuments } from '../operations/list-documents.ts';
import type { AnswerOf, Operation } from '../operations/operation.ts';
import { citationOf, formatPassages } from '../operations/passages-prompt.ts';
import { readDocument } from '../operations/read-document.ts';
import { search } from '../operations/search.ts';
import { searchWithHypothesis } from '../operations/search-with-hypothesis.ts';
import { sourcesOf, type WrittenAnswer } from '../operations/written-answer.ts';

export type ToolContent = CallToolResult['content'];

export function toolText(operation: Operation, output: unknown): ToolContent {
  const texts = TEXTS[operation.name]?.(output as never) ?? [stringify(output)];
  return texts.map((text) => ({ type: 'text', text }));
}

const TEXTS: Readonly<Record<string, (output: never) => readonly string[]>> = {
  [search.name]: searchTexts,
  [searchWithHypothesis.name]: searchTexts,
  [ask.name]: answerTexts,
  [readDocument.name]: readTexts,
  [listDocuments.name]: listTexts,
};

/** Places are written so that `read_document` takes them as they are. */
function searchTexts({ hits, nearest, notice }: AnswerOf<typeof search>): readonly string[] {
  const passages = formatPassages(hits);
  const explanations = hits.flatMap(({ rank, score, explanation }) =>
    explanation ? [{ rank, score, explanation }] : [],
  );
  return [
    ...(notice === undefined ? [] : [notice]),
    passages || 'No passage was found.',
    ...nearestTexts(nearest),
    ...(explanations.length > 0 ? [stringify({ explanations })] : []),
  ];
}

function answerTexts(output: WrittenAnswer): readonly string[] {
  const { answer, nearest, notice } = output;
  const places = sourcesOf(output).map((each) => {
    const headings = each.heading_path.length > 0 ? each.heading_path : [each.title];
    return `[${each.number}] ${citationOf(each, `${each.collection}/${each.path}`)}  ${headings.join(' › ')}`;
  });
  return [
    ...(answer === undefined ? [] : [answer]),
    ...(places.length > 0 ? [places.join('\n')] : []),
    ...(notice === undefined ? [] : [notice]),
    ...nearestTexts(nearest),
  ];
}

function nearestTexts(nearest: AnswerOf<typeof search>['nearest']): readonly string[] {
  return nearest ? [`Nearest: ${nearest.document_id}:${nearest.line}  ${nearest.title}`] : [];
}

function readTexts({
  text,
  truncated,
  end_line,
  last_line,
}: AnswerOf<typeof readDocument>): readonly string[] {
  return truncated ? [text, `Cut after line ${end_line} of ${last_line}.`] : [text];
}

function listTexts({
  documents,
  total,
  next_cursor,
  notice,
}: AnswerOf<typeof listDocuments>): readonly string[] {
  const more = next_cursor === undefined ? '' : `; more with cursor ${next_cursor}`;
  const lines = documents.map(({ document_id, title }) => `${document_id}  ${title}`);
  const said = notice === undefined ? [] : [notice];
  return [[...said, ...lines, `${documents.length} of ${total} documents${more}`].join('\n')];
}
