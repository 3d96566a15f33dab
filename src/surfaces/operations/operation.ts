/** What an operation is: one thing a user can ask for, declared once and offered by every surface. */
import type * as z from 'zod';
import { DocfuseError } from '../../core/errors.ts';
import type { Immutable } from '../../core/model/camel-keys.ts';
import type { Index, OpenOptions } from '../../engine/api.ts';
import { knownInside, PLAINLY } from '../../engine/config/describe-issue.ts';
import type { EvaluateProgress } from '../../engine/evaluate/evaluate.ts';
import type { TuneProgress } from '../../engine/evaluate/tune.ts';
import type { Activity } from '../../engine/watch/activity.ts';

/** A running server, as it describes itself. */
export interface ServerFacts {
  readonly url: string;
  readonly pid: number;
  /** ISO 8601, UTC. */
  readonly started: string;
  readonly version: string;
  readonly activity: Activity;
  /** Operations that run or wait, this one included. */
  readonly requests: number;
}

export interface OperationContext {
  /**
   * Opens the index the caller means. The operation disposes what it gets; a surface that keeps one index open
   * hands out a handle whose disposal does nothing.
   */
  open(): Promise<Index>;
  /** What the caller chose for every index of this call: settings, configuration, working directory. */
  readonly options: OpenOptions;
  /** Milliseconds since 1970, for relative dates. */
  now(): number;
  /** Asks the user for one of `answers`; undefined at the end of the input. Absent if nobody can be asked. */
  readonly ask?: (question: string, answers: readonly string[]) => Promise<string | undefined>;
  /** Prints a line for the user, apart from the answer. */
  readonly tell?: (line: string) => void;
  /** What the server that answers is doing; absent where none does. */
  readonly server?: () => ServerFacts;
  /** Asks the running server of the index for another operation; undefined if none answers. Absent if servers are not asked. */
  readonly askServer?: AskServer;
}

/**
 * Checks the input of an operation and runs it, in this process or on a running server.
 * @throws {DocfuseError} what the operation says
 */
export type RunOperation = <Output extends z.ZodObject>(
  operation: Operation<string, z.ZodObject, Output>,
  input: Readonly<Record<string, unknown>>,
  control?: OperationControl,
) => Promise<Immutable<z.input<Output>>>;

/** @throws {DocfuseError} what the operation says */
export type AskServer = <Output extends z.ZodObject>(
  operation: Operation<string, z.ZodObject, Output>,
  input: Readonly<Record<string, unknown>>,
  control: OperationControl,
) => Promise<Immutable<z.input<Output>> | undefined>;

/** How far reading, embedding, measuring, fitting or a download has come; a download counts bytes. */
export type OperationProgress =
  | EvaluateProgress
  | TuneProgress
  | { readonly phase: 'pull'; readonly done: number; readonly total: number };

export interface OperationControl {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: OperationProgress) => void;
  /** Pieces of a text that is being written, as they come; the answer holds it whole. */
  readonly onText?: (text: string) => void;
}

/** How the command line spells an operation's input; other surfaces ignore it. */
export interface CommandLineHints<Field extends string = string> {
  /** Fields given as arguments instead of options, in order; a list takes the rest. */
  readonly arguments?: readonly Field[];
  /** One-letter forms of options. */
  readonly short?: { readonly [Name in Field]?: string };
  /** What stands for an option's value in help, where not its own name; `file`, `dir` and `glob` complete paths. */
  readonly values?: Readonly<Record<string, string>>;
  /**
   * Not a command of its own: giving `field` as an option of another operation's command runs this one instead. Both take
   * the same arguments, and options that this one does not know are refused.
   */
  readonly optionOf?: { readonly operation: string; readonly field: Field };
  /** Words of the command, where they are not the name: `['list', 'tags']` is a command inside `list`. */
  readonly command?: readonly string[];
  /** Opens no index and reads no configuration, so options that choose one are refused. */
  readonly standalone?: true;
  /** Further arguments are paths, which choose what is indexed and searched. */
  readonly paths?: boolean;
}

/** Where the HTTP API offers an operation, by GET with query parameters and by POST with JSON. */
export interface HttpHints {
  /** A field of the input in braces is taken from the path: `/api/documents/{document}`. */
  readonly path: string;
}

/** How MCP offers an operation as a tool. */
export interface McpTool<Field extends string = string> {
  readonly name: string;
  /** Fields of the input that the tool takes; the others keep their defaults. */
  readonly arguments: readonly Field[];
  /** @default that of the operation */
  readonly description?: string;
  /** Defaults of the tool that differ from those of the operation. */
  readonly defaults?: { readonly [Name in Field]?: unknown };
  /**
   * The part of the output that is worth a model's tokens, as an object that leaves out fields it does not name.
   * @default all of it
   */
  readonly answer?: () => z.ZodObject;
  /** Makes that part, where picking fields is not enough. */
  readonly shorten?: (
    output: never,
    input: Readonly<Record<string, unknown>>,
  ) => Readonly<Record<string, unknown>>;
  /** Has the client's own model write the answer, so it is offered only where the client lets that be asked. */
  readonly sampling?: true;
}

export interface Operation<
  Name extends string = string,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
> {
  readonly name: Name;
  /** One line, imperative, without a full stop. */
  readonly summary: string;
  readonly description?: string;
  /** Wire names, strict; every field carries its description. */
  readonly input: Input;
  /** In wire names: the answer of `--json`, MCP and HTTP. */
  readonly output: Output;
  /** Changes nothing that a user made or set. The index is not counted. */
  readonly readOnly: boolean;
  /** It writes the index, so it waits for other writers, such as a running server. */
  readonly writesIndex?: boolean;
  readonly cli?: CommandLineHints<keyof Input['shape'] & string>;
  /** Absent when there is no route to it; where there is one, commands and assistants ask a running server. */
  readonly http?: HttpHints;
  /** Absent when there is no tool for it. */
  readonly mcp?: McpTool<keyof Input['shape'] & string>;
  run(
    context: OperationContext,
    input: z.output<Input>,
    control: OperationControl,
  ): Promise<Immutable<z.input<Output>>>;
}

/** What an operation answers. */
export type AnswerOf<Of extends Pick<Operation, 'output'>> = Immutable<z.output<Of['output']>>;

/** An operation as it is declared: with functions that make its schemas. */
interface Declared<Name extends string, Input extends z.ZodObject, Output extends z.ZodObject>
  extends Omit<Operation<Name, Input, Output>, 'input' | 'output'> {
  readonly input: () => Input;
  readonly output: () => Output;
}

/** Declares an operation. Its schemas are made when they are first asked for: all of them together take a command 8 ms. */
export function defineOperation<
  const Name extends string,
  Input extends z.ZodObject,
  Output extends z.ZodObject,
>({ input, output, ...rest }: Declared<Name, Input, Output>): Operation<Name, Input, Output> {
  const made: { input?: Input; output?: Output } = {};
  return {
    ...rest,
    get input() {
      made.input ??= input();
      return made.input;
    },
    get output() {
      made.output ??= output();
      return made.output;
    },
  };
}

/** How a surface speaks of an operation's fields when one of them is wrong. */
export interface Wording {
  /** A field as its users write it. */
  spell(field: string): string;
  /** What to do about a wrong value. */
  readonly remedy: string;
}

/**
 * Checks an input against the operation's schema and runs it.
 * @throws {DocfuseError} `usage` that names every field that is wrong
 */
export async function runOperation<Output extends z.ZodObject>(
  operation: Operation<string, z.ZodObject, Output>,
  context: OperationContext,
  input: unknown,
  control: OperationControl = {},
  wording?: Wording,
): Promise<Immutable<z.input<Output>>> {
  return operation.run(context, checkInput(operation, input, wording), control);
}

/**
 * Carries out an operation as a step of another one: on the running server of the index where one is asked, else here.
 * @throws {DocfuseError} what the operation says
 */
export async function runInside<Output extends z.ZodObject>(
  context: OperationContext,
  operation: Operation<string, z.ZodObject, Output>,
  input: Readonly<Record<string, unknown>>,
  control: OperationControl,
): Promise<Immutable<z.input<Output>>> {
  const answer = await context.askServer?.(operation, input, control);
  return answer ?? runOperation(operation, context, input, control);
}

/**
 * The input with its defaults.
 * @throws {DocfuseError} `usage` that names every field that is wrong
 */
export function checkInput<Input extends z.ZodObject>(
  operation: Pick<Operation<string, Input>, 'name' | 'input'>,
  input: unknown,
  { spell, remedy }: Wording = wireWording(operation),
): z.output<Input> {
  const parsed = operation.input.safeParse(input, PLAINLY);
  if (parsed.success) {
    // Maps drop this key, so a filter by it would let everything through.
    if (hasPrototypeKey(input)) throw new DocfuseError('usage', '“__proto__” names no field.', remedy);
    return parsed.data;
  }
  const { issues } = parsed.error;
  const problems = issues.map((issue) => withField(issue, input, spell));
  throw new DocfuseError('usage', `${problems.join('; ')}.`, knownInside(operation.input, issues) ?? remedy);
}

function hasPrototypeKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasPrototypeKey);
}

function wireWording({ name, input }: Pick<Operation, 'name' | 'input'>): Wording {
  const fields = Object.keys(input.shape);
  return {
    spell: String,
    remedy: fields.length === 0 ? `${name} takes no fields.` : `Fields of ${name}: ${fields.join(', ')}.`,
  };
}

function withField(
  { path, message }: z.core.$ZodIssue,
  input: unknown,
  spell: (field: string) => string,
): string {
  const field = [...path].reverse().find((part) => typeof part === 'string');
  if (field === undefined) return message;
  return valueAt(input, path) === undefined ? `${spell(field)} is missing` : `${spell(field)}: ${message}`;
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    input,
  );
}
