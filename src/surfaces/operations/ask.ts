/** Operation `ask`: an answer from the documents, written by a language model of the user's choice. */
import * as z from 'zod';
import { askedText } from './asked-text.ts';
import { citedNumbers } from './cited-numbers.ts';
import { defineOperation } from './operation.ts';
import { ANSWER_INSTRUCTION, formatQuestion } from './passages-prompt.ts';
import { runInside } from './run-inside.ts';
import { search } from './search.ts';

export const ask = defineOperation({
  name: 'ask',
  summary: 'Answer a question from the documents, with citations',
  description:
    'Searches, then has a language model answer from the passages found: any service with OpenAI’s /v1/chat/completions, ' +
    'named by base_url and model under [answer]. When no passage is sure enough, nothing is asked.',
  input: search.input
    .omit({ query: true, explain: true, mode: true, parents: true })
    .extend({ question: askedText.min(1).describe('A question.') }),
  output: z.strictObject({
    question: z.string(),
    answer: z.string().optional().describe('Absent when no passage is sure enough to answer from.'),
    model: z.string().optional().describe('What wrote the answer.'),
    citations: z
      .array(
        z.strictObject({
          number: z.int().describe('As in the answer: [1].'),
          cited: z.boolean().describe('The answer refers to it.'),
          collection: z.string(),
          path: z.string(),
          start_line: z.int(),
          end_line: z.int(),
          title: z.string(),
          heading_path: z.array(z.string()),
          score: z.number(),
        }),
      )
      .describe('The passages the model was given.'),
    nearest: search.output.shape.nearest,
    notice: z.string().optional().describe('What the reader must know.'),
  }),
  readOnly: true,
  cli: {
    arguments: ['question'],
    short: { top_n: 'n' },
    values: { path: 'glob', exclude: 'glob', after: 'date', before: 'date' },
    paths: true,
  },
  async run(context, { question, ...options }, { onText, ...control }) {
    const { openAnswerer } = await import('../../engine/open-models.ts');
    const answerer = openAnswerer(context.options);
    const query = { ...options, query: question };
    const found = await runInside(context, search, query, control);
    const { hits, nearest } = found;
    const notices = [found.notice].filter((notice) => notice !== undefined);
    if (hits.length === 0) {
      const notice = [...notices, 'So no language model was asked.'].join(' ');
      return { question, citations: [], ...(nearest && { nearest }), notice };
    }
    const answer = await answerer.answer({
      system: ANSWER_INSTRUCTION,
      user: formatQuestion(question, hits),
      onText,
      signal: control.signal,
    });
    const numbers = new Set(citedNumbers(answer, hits.length));
    const strangers = [...numbers].filter((number) => number < 1 || number > hits.length);
    if (strangers.length > 0)
      notices.push(`The answer cites [${strangers.join('], [')}], which is no passage.`);
    return {
      question,
      answer,
      model: answerer.model,
      citations: hits.map((hit, index) => ({
        number: index + 1,
        cited: numbers.has(index + 1),
        collection: hit.collection,
        path: hit.path,
        start_line: hit.start_line,
        end_line: hit.end_line,
        title: hit.title,
        heading_path: hit.heading_path,
        score: hit.score,
      })),
      ...(notices.length > 0 && { notice: notices.join(' ') }),
    };
  },
});
