/** Operation `ask`: an answer from the documents, written by a language model of the user's choice. */
import * as z from 'zod';
import { defineOperation, runInside } from './operation.ts';
import { ANSWER_INSTRUCTION, formatQuestion } from './passages-prompt.ts';
import { askedText, filterValues } from './query-fields.ts';
import { search } from './search.ts';
import { fromWritten, toAsked, withoutPassages, writtenAnswer } from './written-answer.ts';

export const ask = defineOperation({
  name: 'ask',
  summary: 'Answer a question from the documents, with citations',
  description:
    'Searches, then asks a language model to answer from the passages found. Set base_url and model under [answer]: any ' +
    'service with OpenAI’s /v1/chat/completions works. If no passage is sure enough, no model is asked.',
  input: () =>
    search.input.omit({ query: true, explain: true, mode: true, parents: true, per_document: true }).extend({
      question: askedText.min(1).describe('What you want to know.'),
      top_n: search.input.shape.top_n.describe('Passages to answer from, 1–100 (default: 5).'),
      min_confidence: search.input.shape.min_confidence.describe(
        'Min confidence of the passages to answer from, 0–1 (default: 0.24).',
      ),
    }),
  output: writtenAnswer,
  readOnly: true,
  cli: {
    arguments: ['question'],
    short: { top_n: 'n' },
    values: filterValues,
    paths: true,
  },
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
