/** Operation `search_with_hypothesis`: passages that mean what a text written as the answer means (HyDE). */
import { askedText } from './asked-text.ts';
import { answerFresh } from './fresh-answer.ts';
import { defineOperation } from './operation.ts';
import { search } from './search.ts';
import { shortAnswer, shortenAnswer } from './short-answer.ts';
import { fromWire } from './wire.ts';

export const searchWithHypothesis = defineOperation({
  name: 'search_with_hypothesis',
  summary: 'Find the passages that mean what a hypothetical answer means',
  description:
    'Write what the answer might say, right or wrong; passages are compared with that text by meaning alone. ' +
    'The query, if given, is not searched for: its words are marked, and its filters, phrases and exclusions hold.',
  input: () =>
    search.input.omit({ mode: true, query: true }).extend({
      query: askedText.optional().describe('The question: marks words and narrows.'),
      hypothesis: askedText.describe(
        'Look for passages that mean what this text means, written as the answer might read.',
      ),
    }),
  output: () => search.output,
  readOnly: true,
  cli: {
    arguments: ['query'],
    values: { hypothesis: 'text' },
    paths: true,
    optionOf: { operation: 'search', field: 'hypothesis' },
  },
  http: { path: '/api/hypothesis' },
  mcp: {
    name: 'search_with_hypothesis',
    arguments: ['hypothesis', 'top_n', 'filters'],
    defaults: { parents: false },
    answer: shortAnswer,
    shorten: shortenAnswer,
    description:
      'Use it when query_documents found nothing that fits: write two or three sentences as the answer might read, right or wrong.',
  },
  run: (context, { hypothesis, sync, wait, ...options }, control) =>
    answerFresh(context, { sync, embed: wait }, control, (index) =>
      index.searchWithHypothesis(hypothesis, {
        ...fromWire(options),
        ...(control.signal === undefined ? {} : { signal: control.signal }),
      }),
    ),
});
