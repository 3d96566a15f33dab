/** The answer of a language model, with the passages that the model got or cites, and notices for the reader. */
import * as z from 'zod';
import { createThoughtFilter } from '../../core/text/thought-filter.ts';
import type { Immutable } from '../../engine/wire-names.ts';
import { citedNumbers } from './citations.ts';
import type { AnswerOf } from './operation.ts';
import { isNoAnswer } from './passages-prompt.ts';
import type { search } from './search.ts';
import { documentNameShape } from './shapes.ts';

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

/** A question with its passages, kept until the model has answered. */
export interface Asked {
  readonly question: string;
  readonly passages: readonly Omit<WrittenAnswer['citations'][number], 'cited'>[];
  readonly nearest?: WrittenAnswer['nearest'];
  /** The notice of the search. */
  readonly notice?: string | undefined;
}

/** What a model wrote. */
export interface Written {
  readonly text: string;
  readonly model: string;
  /** The model's stop reason, if the answer is cut off; absent for a complete answer. */
  readonly cut?: string;
}

/** Numbers the passages in the order in which the model gets them. */
export function toAsked(question: string, { hits, unsure, notice }: AnswerOf<typeof search>): Asked {
  const passages = hits.map(
    ({ collection, path, start_line, end_line, title, heading_path, score }, index) => ({
      ...{ number: index + 1, collection, path, start_line, end_line, title, heading_path, score },
    }),
  );
  const [best] = unsure;
  if (passages.length > 0 || best === undefined) return { question, passages, notice };
  const { document_id, collection, path, title, snippet, score } = best;
  return {
    ...{ question, passages, notice },
    nearest: { document_id, collection, path, title, line: snippet.start_line, score },
  };
}

/** Removes the thoughts with which a model's text may begin. If the thoughts have no end, nothing is left. */
export function withoutThoughts(text: string): string {
  const thoughts = createThoughtFilter();
  return thoughts.take(text) + thoughts.rest();
}

/** The answer if no passage is sure enough, so that no model is asked. */
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
  ].filter(Boolean);
  return {
    ...{ question, answered, answer: text, model, citations },
    ...(notices.length > 0 && { notice: notices.join(' ') }),
  };
}
