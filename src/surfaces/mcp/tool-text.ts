/** Writes the answer of a tool as text: passages with citations, a document, or the fields of the answer. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { stringify } from 'yaml';
import { manyLines, oneLine } from '../../core/text/one-line.ts';
import { ask, type WrittenAnswer } from '../operations/ask.ts';
import { sourcesOf } from '../operations/citations.ts';
import { numberedCitation } from '../operations/format-passages.ts';
import { listDocuments } from '../operations/list.ts';
import type { AnswerOf, Operation } from '../operations/operation.ts';
import { quotePassages, quoteText } from '../operations/passages-prompt.ts';
import { noText, readDocument } from '../operations/read-document.ts';
import { relatedDocuments, type ShortRelated } from '../operations/related-documents.ts';
import { search, searchWithHypothesis } from '../operations/search.ts';
import type { ShortAnswer } from '../operations/short-answer.ts';

export type ToolContent = CallToolResult['content'];

export function toolText(operation: Operation, output: unknown): ToolContent {
  const texts = TEXTS[operation.name]?.(output as never) ?? [fields(output)];
  return texts.map((text) => ({ type: 'text', text }));
}

const TEXTS: Readonly<Record<string, (output: never) => readonly string[]>> = {
  [search.name]: searchTexts,
  [searchWithHypothesis.name]: searchTexts,
  [ask.name]: answerTexts,
  [readDocument.name]: readTexts,
  [relatedDocuments.name]: relatedTexts,
  [listDocuments.name]: listTexts,
};

/** Citations are written in the form that `read_document` accepts. */
function searchTexts({ hits, unsure, notice }: ShortAnswer): readonly string[] {
  const passages = quotePassages(hits, unsure);
  const explanations = hits.flatMap(({ score, explanation }, index) =>
    explanation ? [{ rank: index + 1, score, explanation }] : [],
  );
  return [
    // The set drops the second sentence if the notice says the same.
    ...new Set([...noticeTexts(notice), passages || 'No passage matches the query.']),
    ...(explanations.length > 0 ? [fields({ explanations })] : []),
  ];
}

function answerTexts(output: WrittenAnswer): readonly string[] {
  const { answer, nearest, notice } = output;
  const places = sourcesOf(output).map((each) => numberedCitation(each, `${each.collection}/${each.path}`));
  return [
    ...(answer === undefined ? [] : [manyLines(answer)]),
    ...(places.length > 0 ? [places.join('\n')] : []),
    ...noticeTexts(notice),
    ...(nearest ? [oneLine(`Nearest: ${nearest.document_id}:${nearest.line}  ${nearest.title}`)] : []),
  ];
}

function readTexts(document: AnswerOf<typeof readDocument>): readonly string[] {
  const { document_id, text, truncated, start_line, end_line, last_line } = document;
  const more = `Cut after line ${end_line} of ${last_line}: go on with start_line ${end_line + 1}.`;
  const place = oneLine(`${document_id}:${start_line}-${end_line}`);
  return [place, noText(document) ?? quoteText(text), ...(truncated ? [more] : [])];
}

function listTexts(list: AnswerOf<typeof listDocuments>): readonly string[] {
  const { documents, total, next_cursor, notice } = list;
  const more = next_cursor === undefined ? '' : `; more with cursor ${next_cursor}`;
  const lines = documents.map(({ document_id, title }) => oneLine(`${document_id}  ${title}`));
  return [[...noticeTexts(notice), ...lines, `${documents.length} of ${total} documents${more}`].join('\n')];
}

function relatedTexts(related: ShortRelated): readonly string[] {
  const { linked, linked_count, community = [], similar, notice } = related;
  const count = linked.length < linked_count ? `, ${linked.length} of ${linked_count}` : '';
  const lines = [
    ...(linked.length > 0 ? [`Linked${count}:`] : []),
    ...linked.map(({ document_id, title, link }) => oneLine(`${document_id}  ${title}  (${link})`)),
    ...(community.length > 0 ? ['In the same community:'] : []),
    ...community.map(({ document_id, title }) => oneLine(`${document_id}  ${title}`)),
    ...(similar.length > 0 ? ['Similar:'] : []),
    ...similar.map(({ document_id, title, similarity }) =>
      oneLine(`${document_id}  ${title}  (${similarity.toFixed(2)})`),
    ),
    ...noticeTexts(notice),
  ];
  return [lines.join('\n') || 'No related documents were found.'];
}

function noticeTexts(notice: string | undefined): readonly string[] {
  return notice === undefined ? [] : [oneLine(notice)];
}

/** Writes YAML with one value per line. */
function fields(output: unknown): string {
  const shown = (_: unknown, value: unknown) => (typeof value === 'string' ? oneLine(value) : value);
  return stringify(output, shown, { lineWidth: 0 });
}
