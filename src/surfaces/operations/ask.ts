/** Operation `ask`: an answer from the documents, written by a language model of the user's choice, with its sources. */
import * as z from 'zod';
import { createThoughtFilter } from '../../core/text/thought-filter.ts';
import type { Immutable } from '../../engine/wire-names.ts';
import { citedNumbers } from './citations.ts';
import { type AnswerOf, defineOperation, runInside } from './operation.ts';
import { ANSWER_INSTRUCTION, formatQuestion, isNoAnswer } from './passages-prompt.ts';
import { search } from './search.ts';
import { askedText, documentNameShape, filterValues } from './shapes.ts';

const citation = z.strictObject({
  number: z.int().describe('Number of the passage in the answer, such as [1].'),
  cited: z.boolean().describe('Whether the answer cites the passage.'),
  collection: z.string(),
  path: z.string(),
  start_line: z.int(),
  end_line: z.int(),
  title: z.string(),
  heading_path: z.array(z.string()),
  score: z.number(),
});

export const writtenAnswer = () =>
  z.strictObject({
    question: z.string(),
    answered: z
      .boolean()
      .describe(
        'False if no passage is sure enough to answer from, or if the model finds no answer in the passages.',
      ),
    answer: z.string().optional().describe('Absent if no passage is sure enough to answer from.'),
    model: z.string().optional().describe('Name of the model that wrote the answer.'),
    citations: z.array(citation).describe('The passages that the model got.'),
    nearest: documentNameShape
      .extend({ line: z.int().min(1), score: z.number().min(0).max(1).describe('Confidence.') })
      .optional()
      .describe('Where to look if no passage was sure enough.'),
    notice: z.string().optional().describe('What the reader must know.'),
  });

export type WrittenAnswer = Immutable<z.output<ReturnType<typeof writtenAnswer>>>;

export const ask = defineOperation({
  name: 'ask',
  summary: 'Answer a question from the documents, with citations',
  description:
    'Searches, then asks a language model to answer from the passages found. Set base_url and model under [answer]: any ' +
    'service with OpenAI’s /v1/chat/completions works. If no passage is sure enough, no model is asked.',
  input: () => ({
    ...search.input.omit({ query: true, explain: true, mode: true, parents: true, per_document: true }).shape,
    question: askedText.min(1).describe('What you want to know.'),
    top_n: search.input.shape.top_n.describe('Passages to answer from, 1–100 (default: 5).'),
    min_confidence: search.input.shape.min_confidence.describe(
      'Min confidence of the passages to answer from, 0–1 (default: 0.24).',
    ),
  }),
  output: () => writtenAnswer().shape,
  readOnly: true,
  cli: { arguments: ['question'], short: { top_n: 'n' }, values: filterValues, paths: true },
  http: {
    path: '/api/ask',
    attach: false,
    guarded: {
      fields: ['question', 'top_n', 'filters', 'min_confidence', 'preset', 'sync', 'wait'],
      running: 4,
      timeMs: 600_000,
    },
  },
  mcp: {
    name: 'answer_question',
    arguments: ['question', 'top_n', 'filters'],
    answer: () => {
      const { answered, answer, citations, notice } = writtenAnswer().shape;
      const nearest = z.object({ document_id: z.string(), title: z.string(), line: z.int() }).optional();
      return z.object({ answered, answer, citations, nearest, notice });
    },
    description:
      'Asks your own model through sampling, with only the passages found. To read the passages yourself, use query_documents.',
    sampling: true,
  },
  async run(context, { question, ...options }, { onText, ...control }) {
    const { openAnswerer } = await import('../../engine/open-models.ts');
    const answerer = openAnswerer(context.options);
    const query = { ...options, query: question };
    const found = await runInside(context, search, query, control);
    const asked = toAsked(question, found);
    if (asked.passages.length === 0) return withoutPassages(asked);
    const written = await answerer.answer({
      system: ANSWER_INSTRUCTION,
      user: formatQuestion(question, found.hits),
      onText,
      signal: control.signal,
    });
    return fromWritten(asked, { ...written, model: answerer.model });
  },
});

/** A question with its passages, kept until the model has answered. */
export interface Asked {
  readonly question: string;
  readonly passages: readonly Omit<WrittenAnswer['citations'][number], 'cited'>[];
  readonly nearest?: WrittenAnswer['nearest'];
  readonly notice?: string | undefined;
}

/** The answer of a language model. */
export interface Written {
  readonly text: string;
  readonly model: string;
  /** The model's stop reason, if the answer is cut off; absent for a complete answer. */
  readonly cut?: string;
}

/** Numbers the passages in the order in which the model gets them. */
export function toAsked(question: string, { hits, unsure, notice }: AnswerOf<typeof search>): Asked {
  const passages = hits.map((hit, index) => {
    const { collection, path, start_line, end_line, title, heading_path, score } = hit;
    return { number: index + 1, collection, path, start_line, end_line, title, heading_path, score };
  });
  const [best] = unsure;
  if (passages.length > 0 || best === undefined) return { question, passages, notice };
  const { document_id, collection, path, title, snippet, score } = best;
  const nearest = { document_id, collection, path, title, line: snippet.start_line, score };
  return { question, passages, notice, nearest };
}

/** Removes the thoughts with which a model's text may begin. If the thoughts have no end, nothing is left. */
export function withoutThoughts(text: string): string {
  const thoughts = createThoughtFilter();
  return thoughts.take(text) + thoughts.rest();
}

/** The answer without a model, for a question for which no passage is sure enough. */
export function withoutPassages({ question, nearest, notice }: Asked): WrittenAnswer {
  const said = [notice, 'So no language model was asked.'].filter(Boolean).join(' ');
  return { question, answered: false, citations: [], ...(nearest && { nearest }), notice: said };
}

export function fromWritten({ question, passages, notice }: Asked, written: Written): WrittenAnswer {
  const { text, model, cut } = written;
  const answered = !isNoAnswer(text);
  const numbers = new Set(answered ? citedNumbers(text, passages.length) : []);
  const strangers = [...numbers].filter((number) => number < 1 || number > passages.length);
  const citations = passages.map((passage) => ({ ...passage, cited: numbers.has(passage.number) }));
  const notices = [
    notice,
    cut && `The answer was cut off (${cut}).`,
    strangers.length > 0 && `The answer cites [${strangers.join('], [')}], but no passage has that number.`,
    answered &&
      !citations.some(({ cited }) => cited) &&
      'The answer cites no passage, so all passages that the model got are listed.',
  ];
  const said = notices.filter(Boolean).join(' ');
  return { question, answered, answer: text, model, citations, ...(said && { notice: said }) };
}
