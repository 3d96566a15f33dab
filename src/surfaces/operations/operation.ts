/** Defines operations: an operation is something a user can ask for, declared once and offered by the surfaces. */
import * as z from 'zod';
import { DocfuseError } from '../../core/errors.ts';
import { lazyConstant } from '../../core/text/lazy-constant.ts';
import type { ExportProgress, Index, OpenOptions } from '../../engine/api.ts';
import { aboutValues, knownInside, PLAINLY } from '../../engine/config/describe-issue.ts';
import type { EvaluateProgress } from '../../engine/evaluate/evaluate.ts';
import type { TuneProgress } from '../../engine/evaluate/tune.ts';
import type { Activity } from '../../engine/watch/background-work.ts';
import type { Immutable } from '../../engine/wire-names.ts';

/** How long the last searches of one kind took. Their queries are not kept. */
export interface SearchTimes {
  readonly count: number;
  /** Milliseconds of each of the last 200 searches, oldest first. The time in the queue is included. */
  readonly recentMs: readonly number[];
}

/** Times of the two kinds of search. The page searches by words at each key press, so these searches are counted separately. */
export type SearchReport = Readonly<Record<'byWords' | 'withMeaning', SearchTimes>>;

/** What a running server reports about itself. */
export interface ServerFacts {
  readonly url: string;
  readonly pid: number;
  /** ISO 8601, UTC. */
  readonly started: string;
  readonly version: string;
  readonly activity: Activity;
  /** Operations that run or wait, this one included. */
  readonly requests: number;
  readonly searches: SearchReport;
  /** Whether the page may save grades of hits. */
  readonly judging: boolean;
  /** Whether a model reorders hits, which takes time. */
  readonly reranking: boolean;
  /** The language model that writes answers, and the host that it runs on; absent if none is set up. */
  readonly answers?: { readonly model: string; readonly host: string };
}

export interface OperationContext {
  /**
   * Opens the caller's index. The operation disposes the returned index. If the surface keeps its index open, disposing
   * does nothing.
   */
  open(): Promise<Index>;
  /** Options with which every index of this call is opened: settings, configuration, working directory. */
  readonly options: OpenOptions;
  /** As in `NamingOptions`; false if a server runs the operation. */
  readonly paths?: boolean;
  /** Milliseconds since 1970, for relative dates. */
  now(): number;
  /** Asks the user for one of `answers`; undefined at the end of the input. Absent if there is no user to ask. */
  readonly ask?: (question: string, answers: readonly string[]) => Promise<string | undefined>;
  /** Prints a line for the user, apart from the answer. */
  readonly tell?: (line: string) => void;
  /** Reports on the server that runs the operation; absent outside a server. */
  readonly server?: () => ServerFacts;
  /** Runs another operation on the running server of the index. Absent if no server may be used. */
  readonly askServer?: AskServer;
}

/**
 * Checks the input of an operation and runs it, in this process or on a running server.
 * @throws {DocfuseError} errors of the operation
 */
export type RunOperation = <Output extends z.ZodObject>(
  operation: Operation<string, z.ZodObject, Output>,
  input: Readonly<Record<string, unknown>>,
  control?: OperationControl,
) => Promise<Immutable<z.input<Output>>>;

/** Runs an operation on the running server; undefined if no server answers. @throws {DocfuseError} errors of the operation */
export type AskServer = <Output extends z.ZodObject>(
  operation: Operation<string, z.ZodObject, Output>,
  input: Readonly<Record<string, unknown>>,
  control: OperationControl,
) => Promise<Immutable<z.input<Output>> | undefined>;

/** Progress of reading, embedding, measuring, fitting, an export, a download in bytes, or a web site in pages. */
export type OperationProgress =
  | EvaluateProgress
  | TuneProgress
  | ExportProgress
  | { readonly phase: 'pull' | 'fetch'; readonly done: number; readonly total: number };

export interface OperationControl {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: OperationProgress) => void) | undefined;
  /** Called with each piece of the text that a language model writes. The answer contains the whole text. */
  readonly onText?: ((text: string) => void) | undefined;
}

/** How the command line spells an operation's input; other surfaces ignore it. */
export interface CommandLineHints<Field extends string = string> {
  /** Fields given as arguments instead of options, in order. A list takes all remaining arguments. */
  readonly arguments?: readonly Field[];
  /** One-letter forms of options. */
  readonly short?: { readonly [Name in Field]?: string };
  /** Placeholders of options in help. With `file`, `dir` and `glob`, shells complete paths. @default the name of the field */
  readonly values?: Readonly<Record<string, string>>;
  /**
   * The command of `operation` runs this operation instead if the user gives the option `field`: `search --everywhere` runs
   * `search_everywhere`. Options that this operation lacks are then refused.
   */
  readonly optionOf?: { readonly operation: string; readonly field: Field };
  /** Words of the command: `['list', 'tags']` is a command inside `list`. @default the name of the operation */
  readonly command?: readonly string[];
  /** The operation opens no index and reads no configuration, so options that choose an index or configuration are refused. */
  readonly standalone?: true;
  /** Further arguments are paths, which choose what is indexed and searched. */
  readonly paths?: boolean;
}

/** Where the HTTP API offers an operation, by GET with query parameters and by POST with JSON. */
export interface HttpHints<Field extends string = string> {
  /** A field of the input in braces is taken from the path: `/api/documents/{document}`. */
  readonly path: string;
  /** Whether commands and assistants let a running server do the work, and not their own process. @default true */
  readonly attach?: boolean;
  /** Set if the operation writes or costs something. Then only POST is allowed, and pages of other sites are refused. */
  readonly guarded?: GuardedRoute<Field>;
}

export interface GuardedRoute<Field extends string = string> {
  /** Fields that a request may have; the others keep their defaults. */
  readonly fields: readonly Field[];
  /** Max operations of this kind that run at the same time; the others wait. */
  readonly running: number;
  /** Max milliseconds of an operation, including the time it waits. @default the limit of the other routes */
  readonly timeMs?: number;
}

export interface McpTool<Field extends string = string> {
  readonly name: string;
  /** Fields of the input that the tool takes; the others keep their defaults. */
  readonly arguments: readonly Field[];
  /** @default the description of the operation */
  readonly description?: string;
  /** Defaults of the tool that differ from those of the operation. */
  readonly defaults?: { readonly [Name in Field]?: unknown };
  /** Makes the schema of the fields that a model gets; other fields of the output are left out. @default all fields */
  readonly answer?: () => z.ZodObject;
  /** Shortens the output before `answer` selects the fields, for example by cutting lists. */
  readonly shorten?: (
    output: never,
    input: Readonly<Record<string, unknown>>,
  ) => Readonly<Record<string, unknown>>;
  /** The client's own model writes the answer, so the tool is offered only to clients that allow sampling. */
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
  /** Strict schema with wire names. Every field has a description. */
  readonly input: Input;
  /** Schema of the answer of `--json`, MCP and HTTP, with wire names. */
  readonly output: Output;
  /** Whether files and settings of the user stay unchanged. Such an operation may still write the index. */
  readonly readOnly: boolean;
  /** The operation writes the index, so it waits for other writers, such as a running server. */
  readonly writesIndex?: boolean;
  /** The command fails without an index, where others make one or answer without. */
  readonly needsIndex?: boolean;
  readonly cli?: CommandLineHints<keyof Input['shape'] & string>;
  /** Absent if HTTP does not offer the operation. */
  readonly http?: HttpHints<keyof Input['shape'] & string>;
  /** Absent if MCP does not offer the operation. */
  readonly mcp?: McpTool<keyof Input['shape'] & string>;
  run(
    context: OperationContext,
    input: z.output<Input>,
    control: OperationControl,
  ): Promise<Immutable<z.input<Output>>>;
}

export type AnswerOf<Of extends Pick<Operation, 'output'>> = Immutable<z.output<Of['output']>>;

type Shape = z.ZodRawShape;
type Strict<Fields extends Shape> = z.ZodObject<Fields, z.core.$strict>;

/** An operation as it is declared: functions make the fields of its schemas. */
interface Declared<Name extends string, Input extends Shape, Output extends Shape>
  extends Omit<Operation<Name, Strict<Input>, Strict<Output>>, 'input' | 'output'> {
  /** @default no fields */
  readonly input?: () => Input;
  readonly output: () => Output;
}

/** Declares an operation. Its schemas are made at first use: making the schemas of all operations takes 8 ms. */
export function defineOperation<
  const Name extends string,
  Output extends Shape,
  Input extends Shape = Record<never, never>,
>({
  input = () => ({}) as Input,
  output,
  ...rest
}: Declared<Name, Input, Output>): Operation<Name, Strict<Input>, Strict<Output>> {
  const madeInput = lazyConstant(() => z.strictObject(input()));
  const madeOutput = lazyConstant(() => z.strictObject(output()));
  return {
    ...rest,
    get input() {
      return madeInput();
    },
    get output() {
      return madeOutput();
    },
  };
}

/** The wording of a surface's errors about the fields of an operation. */
export interface Wording {
  /** Returns the name of a field as users of the surface write it. @param field with the objects around it: `filters.tag` */
  spell(field: string): string;
  /** What to do about a wrong value. */
  readonly remedy: string;
}

/** Checks an input as `checkInput` does, and runs the operation. @throws {DocfuseError} also errors of the operation */
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
 * Runs an operation as a step of another one: on the running server of the index if it answers, otherwise in this process.
 * @throws {DocfuseError} errors of the operation
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
 * Checks an input and fills in defaults.
 * @throws {DocfuseError} `usage`, naming every wrong field
 */
export function checkInput<Input extends z.ZodObject>(
  operation: Pick<Operation<string, Input>, 'name' | 'input'>,
  input: unknown,
  wording?: Wording,
): z.output<Input> {
  const { spell, remedy } = wording ?? wireWording(operation);
  const parsed = operation.input.safeParse(input, PLAINLY);
  if (parsed.success) {
    // The schema drops the key `__proto__` from maps. A filter with only this key would be empty and match all documents.
    if (hasPrototypeKey(input)) throw new DocfuseError('usage', '“__proto__” cannot name a field.', remedy);
    return parsed.data;
  }
  const { issues } = parsed.error;
  const problems = issues.map((issue) => withField(issue, input, spell));
  const exact = knownInside(operation.input, issues) ?? (!wording && aboutValues(operation.input, issues));
  throw new DocfuseError('usage', `${problems.join('; ')}.`, exact || remedy);
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

function withField(issue: z.core.$ZodIssue, input: unknown, spell: (field: string) => string): string {
  const { path, message } = issue;
  const field = path.filter((part) => typeof part === 'string').join('.');
  if (field === '') return message;
  const value = path.reduce<unknown>(
    (outer, key) => (outer as Record<PropertyKey, unknown> | undefined)?.[key],
    input,
  );
  if (value !== undefined) return `${spell(field)}: ${message}`;
  const choices = issue.code === 'invalid_value' ? `: name one of ${issue.values.join(', ')}` : '';
  return `${spell(field)} is missing${choices}`;
}
