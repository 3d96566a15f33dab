/** Failures on the command line: what is printed, the exit code, and advice that names the typed folders. */
import { CommanderError } from 'commander';
import { DocfuseError } from '../../core/errors.ts';
import { manyLines, oneLine, safeJson } from '../../core/text/one-line.ts';
import { toDocfuseError, toProblem } from '../operations/problem.ts';
import { type ColorChoice, readTerminal } from './terminal.ts';
import { fitWidth } from './text-width.ts';
import type { TypedCommand } from './unknown-name.ts';

/**
 * Prints an error on stderr: the message and the remedy, or a problem document under `--json`.
 * @returns the exit code: 2 for wrong usage, else 1
 */
export function reportFailure(
  thrown: unknown,
  { json, debug, color }: { readonly json: boolean; readonly debug: boolean; readonly color: ColorChoice },
  typed?: TypedCommand,
): number {
  const error = thrown instanceof CommanderError ? toUsageError(thrown, typed) : toDocfuseError(thrown);
  if (json) {
    process.stderr.write(`${safeJson(toProblem(error), 2)}\n`);
  } else {
    const { colors, limits } = readTerminal(color);
    for (const line of [`${colors.red('error:')} ${oneLine(error.message)}`, oneLine(error.remedy)])
      process.stderr.write(`${fitWidth(line, limits.stderr)}\n`);
  }
  if (debug) {
    for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
      // The stack begins with the message. Line breaks in the message are escaped, those between the frames stay.
      const stack = String(cause.stack).replace(cause.message, oneLine);
      process.stderr.write(`${manyLines(stack)}\n`);
    }
  }
  return error.code === 'usage' ? 2 : 1;
}

/** Commander's codes for wrong options and values. The wrong text may be a part of a query. */
const MAYBE_QUERY: ReadonlySet<string> = new Set(['commander.unknownOption', 'commander.invalidArgument']);

/** Converts an error of commander. Its message is `error: what is wrong`, sometimes with a suggestion on a second line. */
function toUsageError(
  error: CommanderError,
  { command = 'docfuse', dashed, inWords }: Partial<TypedCommand> = {},
): DocfuseError {
  const [what = '', suggestion] = asSchemasSay(error.message.replace(/^error: /, '')).split('\n');
  const hint = MAYBE_QUERY.has(error.code) ? dashed : undefined;
  const [, flag] = (inWords && /^unknown option '(--[^'"]+)'/.exec(what)) || [];
  const meant =
    flag === '--no-embed' && command !== 'docfuse judge' ? '(Did you mean --no-wait?)' : suggestion;
  const literal = flag ? ` To search for it, write it after --: ${command} -- "${flag}".` : '';
  return new DocfuseError(
    'usage',
    `${what.charAt(0).toUpperCase()}${what.slice(1).replace(/\.?$/, '.')}`,
    hint ?? `${meant?.replace(/^\((.*)\)$/, '$1') ?? `${command} --help lists what is allowed.`}${literal}`,
    { cause: error },
  );
}

const INVALID_OPTION =
  /^option '(?:-\w, )?(?<name>--[\w-]+)[^']*' argument '(?<value>.*)' is invalid\. (?<reason>.+)$/s;
const INVALID_ARGUMENT =
  /^command-argument value '(?<value>.*)' is invalid for argument '(?<name>[\w-]+)'\. (?<reason>.+)$/s;

/** Rewords commander's message about a wrong value, so that it reads like the messages of schemas. */
function asSchemasSay(message: string): string {
  const { groups } = INVALID_OPTION.exec(message) ?? INVALID_ARGUMENT.exec(message) ?? {};
  if (!groups) return message;
  const { name = '', value, reason = '' } = groups;
  const spelled = name.startsWith('--') ? name : name.toUpperCase();
  const why = reason.replace(/^It /, '').replace(/^Allowed choices are /, 'is not one of ');
  return `${spelled}: “${value}” ${why}`;
}

/** Matches the command `docfuse index`, but not the same words in “not a docfuse index”. */
const COMMAND = /(?<!a )docfuse index\b/g;

/** Adds the folders to each `docfuse index` in a text. @param paths as typed */
export function adviceFor(text: string, paths: readonly string[]): string {
  const folders = paths.map((path) => (/^[\w./~@:+-]+$/.test(path) ? path : `"${path}"`));
  return text.replaceAll(COMMAND, () => ['docfuse index', ...folders].join(' '));
}
