/** MCP prompts: a question with the passages that may answer it, for the client's own model. */
import { completable, type GetPromptResult, type McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { oneLine } from '../../core/text/one-line.ts';
import { askedText } from '../operations/asked-text.ts';
import { checkInput, type RunOperation } from '../operations/operation.ts';
import {
  ANSWER_INSTRUCTION,
  formatQuestion,
  NO_PASSAGES,
  quotePassages,
} from '../operations/passages-prompt.ts';
import { search } from '../operations/search.ts';
import { completeCollection } from './documents.ts';
import { failProtocol } from './fail-protocol.ts';
import { passingSchema } from './passing-schema.ts';

/** Passages to look for contradictions in: they need more than one that says the same. */
const PASSAGES_TO_COMPARE = 15;

const CONTRADICTION_INSTRUCTION = `Find contradictions between the numbered passages below.
For each, quote the statements that cannot both be true with the numbers of their passages in square brackets, such as [1] and [3],
say what exactly differs (a number, a date, a rule, a name), and which seems newer if the passages tell.
Different scope (another product, version or year) is no contradiction; say so where it explains a difference.
If nothing contradicts, say that and name what the passages agree on.`;

const NOTHING_TO_COMPARE =
  'No passage of the documents is sure enough to be about the topic below; say so, and nothing more.';

export function registerPrompts(server: McpServer, run: RunOperation): void {
  // The SDK looks for completion inside what is optional.
  const collection = completable(z.string().describe('Look in this collection only.'), (value) =>
    completeCollection(run, value),
  ).optional();
  const find = (query: string, within: string | undefined, signal: AbortSignal, topN?: number) => {
    const filters = within ? { filters: { collection: [within] } } : {};
    return run(search, { query, ...filters, ...(topN && { top_n: topN }) }, { signal });
  };
  registerPrompt(
    server,
    'answer_from_documents',
    {
      title: 'Answer from documents',
      description: 'Answer a question from passages of the documents, with citations, and from nothing else.',
      input: z.strictObject({ question: askedText.describe('What you want to know.'), collection }),
    },
    async ({ question, collection: within }, signal) => {
      const { hits, notice } = await find(question, within, signal);
      if (hits.length === 0) return asUser(NO_PASSAGES, notice, `Question: ${question.trim()}`);
      return asUser(ANSWER_INSTRUCTION, notice, formatQuestion(question, hits));
    },
  );
  registerPrompt(
    server,
    'find_contradictions',
    {
      title: 'Find contradictions',
      description: 'Compare what the documents say about a topic and point out what cannot all be true.',
      input: z.strictObject({ topic: askedText.describe('What the statements are about.'), collection }),
    },
    async ({ topic, collection: within }, signal) => {
      const { hits, notice } = await find(topic, within, signal, PASSAGES_TO_COMPARE);
      const instruction = hits.length === 0 ? NOTHING_TO_COMPARE : CONTRADICTION_INSTRUCTION;
      return asUser(instruction, notice, quotePassages(hits), `Topic: ${topic.trim()}`);
    },
  );
}

interface Prompt<Input extends z.ZodObject> {
  readonly title: string;
  readonly description: string;
  readonly input: Input;
}

/** What is wrong with the arguments is said as with those of a tool, and what to do about it. */
function registerPrompt<Input extends z.ZodObject>(
  server: McpServer,
  name: string,
  { title, description, input }: Prompt<Input>,
  answer: (input: z.output<Input>, signal: AbortSignal) => Promise<GetPromptResult>,
): void {
  const shown = passingSchema<Readonly<Record<string, string>>>(z.toJSONSchema(input, { io: 'input' }));
  // The SDK looks for completion in the shape.
  const argsSchema = { ...shown, shape: input.shape };
  server.registerPrompt(name, { title, description, argsSchema }, async (given, { mcpReq }) => {
    try {
      return await answer(checkInput({ name, input }, given), mcpReq.signal);
    } catch (error) {
      failProtocol(error);
    }
  });
}

function asUser(
  instruction: string,
  notice: string | undefined,
  ...rest: readonly string[]
): GetPromptResult {
  const parts = [instruction, oneLine(notice ?? ''), ...rest];
  const text = parts.filter((part) => part.trim() !== '').join('\n\n');
  return { messages: [{ role: 'user', content: { type: 'text', text } }] };
}
