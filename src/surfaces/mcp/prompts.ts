/** MCP prompts: a question with the passages that may answer it, for the client's own model. */
import { completable, type McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { oneLine } from '../../core/text/one-line.ts';
import { type AnswerOf, checkInput, type RunOperation } from '../operations/operation.ts';
import {
  ANSWER_INSTRUCTION,
  formatQuestion,
  NO_PASSAGES,
  quotePassages,
} from '../operations/passages-prompt.ts';
import { search } from '../operations/search.ts';
import { askedText } from '../operations/shapes.ts';
import { failProtocol } from './call.ts';
import { completeCollection } from './documents.ts';
import { passingSchema } from './schemas.ts';

/** More passages than for an answer: finding contradictions needs several. */
const PASSAGES_TO_COMPARE = 15;

const CONTRADICTION_INSTRUCTION = `Find contradictions between the numbered passages below.
For each, quote the statements that cannot both be true, and after each quotation the number of its passage, such as [1] or [3].
Say what exactly differs (a number, a date, a rule, a name). Say which statement seems newer if the passages tell.
Different scope (another product, version or year) is no contradiction; say so where it explains a difference.
If nothing contradicts, say that and name what the passages agree on.`;

const NOTHING_TO_COMPARE =
  'No passage of the documents is sure enough to be about the topic below; say so, and nothing more.';

type Hits = AnswerOf<typeof search>['hits'];

interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Name of the argument whose text is the search query. */
  readonly field: string;
  readonly fieldDescription: string;
  /** Number of passages to find. @default as for a search */
  readonly topN?: number;
  write(hits: Hits, asked: string): readonly [instruction: string, ...rest: string[]];
}

const PROMPTS: readonly Prompt[] = [
  {
    name: 'answer_from_documents',
    title: 'Answer from documents',
    description: 'Answer a question only from passages of the documents, with citations.',
    field: 'question',
    fieldDescription: 'What you want to know.',
    write: (hits, question) =>
      hits.length === 0
        ? [NO_PASSAGES, `Question: ${question}`]
        : [ANSWER_INSTRUCTION, formatQuestion(question, hits)],
  },
  {
    name: 'find_contradictions',
    title: 'Find contradictions',
    description: 'Compare what the documents say about a topic and point out what cannot all be true.',
    field: 'topic',
    fieldDescription: 'What the statements are about.',
    topN: PASSAGES_TO_COMPARE,
    write: (hits, topic) => [
      hits.length === 0 ? NOTHING_TO_COMPARE : CONTRADICTION_INSTRUCTION,
      quotePassages(hits),
      `Topic: ${topic}`,
    ],
  },
];

export function registerPrompts(server: McpServer, run: RunOperation): void {
  // `completable` is inside `optional`, because the SDK looks for it there.
  const collection = completable(z.string().describe('Look in this collection only.'), (value) =>
    completeCollection(run, value),
  ).optional();
  for (const { name, title, description, field, fieldDescription, topN, write } of PROMPTS) {
    const input = z.strictObject({ [field]: askedText.describe(fieldDescription), collection });
    const shown = passingSchema<Readonly<Record<string, string>>>(z.toJSONSchema(input, { io: 'input' }));
    // The SDK looks for completions in `shape`.
    const argsSchema = { ...shown, shape: input.shape };
    server.registerPrompt(name, { title, description, argsSchema }, async (given, { mcpReq }) => {
      try {
        // `checkInput` gives the same error messages as for a tool.
        const { [field]: asked, collection: within } = checkInput({ name, input }, given);
        const filters = within ? { collection: [within] } : undefined;
        const query = { query: asked, filters, top_n: topN };
        const { hits, notice } = await run(search, query, { signal: mcpReq.signal });
        const [instruction, ...rest] = write(hits, asked!.trim());
        const parts = [instruction, oneLine(notice ?? ''), ...rest].filter((part) => part.trim() !== '');
        return { messages: [{ role: 'user', content: { type: 'text', text: parts.join('\n\n') } }] };
      } catch (error) {
        failProtocol(error);
      }
    });
  }
}
