/** The tool that asks the client's own model to answer from the passages found (MCP sampling). */
import {
  type CallToolResult,
  type CreateMessageRequest,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  ProtocolError,
  type RequestStateCodec,
  SdkError,
  SdkErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { DocfuseError } from '../../core/errors.ts';
import {
  type Asked,
  fromWritten,
  toAsked,
  type Written,
  type WrittenAnswer,
  withoutPassages,
  withoutThoughts,
} from '../operations/ask.ts';
import type { RunOperation } from '../operations/operation.ts';
import { ANSWER_INSTRUCTION, formatQuestion } from '../operations/passages-prompt.ts';
import { search } from '../operations/search.ts';
import { controlOf } from './call.ts';

export type ToolCall = (
  args: Readonly<Record<string, unknown>>,
  context: ServerContext,
) => Promise<CallToolResult | InputRequiredResult>;

interface AnswerOptions {
  readonly run: RunOperation;
  readonly state: RequestStateCodec<Asked>;
  readonly answer: (output: WrittenAnswer) => CallToolResult;
}

/** Key of the request to the model in `inputRequests`, and of the model's answer in `inputResponses`. */
const KEY = 'answer';
const REMEDY = 'Call query_documents and answer from its passages.';
/** Max milliseconds for an answer. The client may wait for the consent of its user first. */
const PATIENCE = 10 * 60_000;
/** Max characters of a client's error message. */
const MAX_SAID = 300;
/** Max tokens that the model may write. An answer needs far fewer; the rest is for models that think before they answer. */
const MAX_TOKENS = 4_000;

/** Stop reasons of a complete answer, as in the protocol; undefined is one, too. After any other reason, the answer is cut off. */
const WHOLE: readonly unknown[] = [undefined, 'endTurn', 'stopSequence'];

/**
 * Makes the `ToolCall` of a tool. The client's model writes the answer. Since protocol 2026-07-28, the client calls the tool twice:
 * the first call returns a request for the model; the second call contains the model's text and returns the answer. In earlier
 * versions, the client calls once, and the server sends its request for the model during this call.
 */
export function answerBySampling({ run, state, answer }: AnswerOptions): ToolCall {
  return async (args, context) => {
    const { inputResponses, requestState } = context.mcpReq;
    // Do not search again: the model cites the passages of the first call, and documents may have changed since.
    const asked = requestState<Asked>();
    if (asked) return answer(fromWritten(asked, writtenBy(inputResponse(inputResponses, KEY))));
    const { question, ...options } = args as { readonly question: string };
    const found = await run(search, { ...options, query: question }, controlOf(context));
    const asking = toAsked(question, found);
    if (asking.passages.length === 0) return answer(withoutPassages(asking));
    const request: CreateMessageRequest['params'] = {
      systemPrompt: ANSWER_INSTRUCTION,
      messages: [{ role: 'user', content: { type: 'text', text: formatQuestion(question, found.hits) } }],
      maxTokens: MAX_TOKENS,
    };
    if (!context.mcpReq.envelope) {
      return answer(fromWritten(asking, writtenBy(await askedMeanwhile(request, context))));
    }
    return inputRequired({
      inputRequests: { [KEY]: inputRequired.createMessage(request) },
      requestState: await state.mint(asking, context),
    });
  };
}

/** @throws DocfuseError `remote` if the client returns no answer of its model, for example because its user declines */
async function askedMeanwhile(
  request: CreateMessageRequest['params'],
  { mcpReq }: ServerContext,
): Promise<unknown> {
  const { id, signal } = mcpReq;
  // The SDK could ask older clients itself, but its errors have no remedy.
  const control = { relatedRequestId: id, signal, timeout: PATIENCE, resetTimeoutOnProgress: true };
  try {
    const result = await mcpReq.requestSampling(request, { ...control, onprogress: () => {} });
    return { kind: 'sampling', result };
  } catch (cause) {
    const message = `The client’s model gave no answer: ${reasonOf(cause)}.`;
    throw new DocfuseError('remote', message, REMEDY, { cause });
  }
}

/** Returns why the client's model gave no answer: the client's message up to the first bracket, or a text of our own. */
function reasonOf(error: unknown): string {
  if (error instanceof ProtocolError) {
    const [said = ''] = error.message.replace(/\s+/g, ' ').split(/[[{]/);
    return said.slice(0, MAX_SAID).replace(/[\s.!:]+$/, '') || 'the client gives no reason';
  }
  const code = error instanceof SdkError ? error.code : undefined;
  if (code === SdkErrorCode.RequestTimeout) return 'it took longer than ten minutes';
  return code === SdkErrorCode.InvalidResult ? 'its response is not valid' : 'the client could not be asked';
}

const block = z.object({ type: z.string(), text: z.string().optional() });
const responseSchema = z.object({
  kind: z.literal('sampling'),
  result: z.object({
    model: z.string(),
    content: z.union([block, z.array(block)]),
    stopReason: z.string().optional(),
  }),
});

/** @throws DocfuseError `remote` if the client sent no text from its model */
function writtenBy(response: unknown): Written {
  const { data } = responseSchema.safeParse(response);
  const blocks = [data?.result.content ?? []].flat();
  const written = blocks.map((each) => (each.type === 'text' ? (each.text ?? '') : '')).join('');
  const text = withoutThoughts(written);
  if (!data || text.trim() === '') {
    throw new DocfuseError('remote', 'The client sent no text from its model.', REMEDY);
  }
  const { model, stopReason } = data.result;
  return { text, model, ...(!WHOLE.includes(stopReason) && { cut: stopReason! }) };
}
