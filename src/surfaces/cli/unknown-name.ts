/** Finds the command that was typed, and suggests corrections for unknown names. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { DocfuseError } from '../../core/errors.ts';
import { nearest } from '../../engine/nearest.ts';

/** Makes a group refuse unknown commands and suggest the nearest command inside the group, at any depth. */
export function refuseUnknown(group: Command): void {
  group.on('command:*', ([typed = '', ...words]: readonly string[], options: readonly string[]) => {
    throw unknownCommand(group, typed, words, options);
  });
}

/**
 * Turns `help list tags` into `list tags --help`. Commander's own `help` knows no nested commands, and prints the general help
 * for an unknown command.
 */
export function expandHelp(program: Command, args: readonly string[]): readonly string[] {
  if (args[0] !== 'help') return args;
  const words = args.slice(1).filter((arg) => !arg.startsWith('-') && arg !== 'help');
  words.reduce((outer, word) => {
    const inner = outer.commands.find((command) => command.name() === word);
    if (!inner) throw unknownCommand(outer, word);
    return inner;
  }, program);
  return [...words, '--help'];
}

/**
 * Accepts `docfuse indexes list` for `docfuse indexes`, and `docfuse sites list` for `docfuse sites`: users may type it, because
 * there is also `docfuse models list`.
 */
export function withoutList(args: readonly string[]): readonly string[] {
  const [first = '', second, ...rest] = args;
  return ['indexes', 'sites'].includes(first) && second === 'list' ? [first, ...rest] : args;
}

/**
 * Adds the command `search` if only a question in quotes was typed: `docfuse "how do I rotate keys"`. The first word may be a
 * misspelt command, as in `docfuse serach "rotate keys"`; then adds nothing.
 */
export function searchFor(program: Command, args: readonly string[]): readonly string[] {
  const isCommand = (arg: string) => program.commands.some((command) => command.name() === arg);
  const isQuestion = (arg: string) => /\S\s+\S/.test(arg) && !arg.startsWith('-');
  if (!args.some(isQuestion) || args.some(isCommand)) return args;
  const [first = ''] = args;
  const mayBeCommand = /^[a-z]+$/.test(first) && !existsSync(first);
  if (mayBeCommand && nearestCommand(program, first)) return args;
  return ['search', ...args];
}

/** @param words what was typed after the unknown command, as far as it is no option */
function unknownCommand(
  group: Command,
  typed: string,
  words: readonly string[] = [],
  options: readonly string[] = [],
): DocfuseError {
  const meant = nearestCommand(group, typed);
  const paths = words.filter((word) => existsSync(word));
  const query = [typed, ...words.filter((word) => !paths.includes(word))].join(' ');
  const search = group.parent
    ? ''
    : ` To search for it: docfuse search ${[query, ...paths, ...options].map(asTyped).join(' ')}.`;
  return new DocfuseError(
    'usage',
    `Unknown command '${typed}'.`,
    `${meant ? `Did you mean ${[meant, ...[...words, ...options].map(asTyped)].join(' ')}?` : `${wordsOf(group)} --help ${group.commands.length > 0 ? 'lists all of them' : 'explains it'}.`}${search}`,
  );
}

/**
 * Returns an addition to the remedy of the error for a path that does not exist: the path may be a misspelled command, or a word
 * of an unquoted query. Empty for other errors.
 */
export function guessMissing(error: DocfuseError, command: Command, paths: readonly string[]): string {
  const missing = paths.find((path) => error.message.includes(resolve(path)));
  if (missing === undefined || error.code !== 'not_found') return '';
  const meant = nearestCommand(command, missing);
  if (meant) return ` Did you mean ${meant}?`;
  if (missing.startsWith('-')) return ' Options go before --, not after it.';
  return asksInWords(command) ? ' Put a query of several words in quotes.' : '';
}

function asksInWords(command: Command): boolean {
  return command.registeredArguments.some((argument) => ['query', 'question'].includes(argument.name()));
}

export interface TypedCommand {
  /** The words of the command, such as `docfuse list tags`. */
  readonly command: string;
  /** Whether the command takes a query. If so, an unknown option may be a part of the query. */
  readonly inWords: boolean;
  /** Remedy to print if a part of the query may have been read as an option; undefined if no part looks like one. */
  readonly dashed: string | undefined;
}

export function typedCommand(program: Command, args: readonly string[]): TypedCommand {
  const inner = (outer: Command, arg: string) => outer.commands.find((each) => each.name() === arg) ?? outer;
  const found = args.reduce(inner, program);
  const command = wordsOf(found);
  const inWords = asksInWords(found);
  return { command, inWords, dashed: inWords ? dashedQuery(command, args) : undefined };
}

/**
 * Returns a remedy if a part of the query may have been read as an option: a quoted query that begins with `-`, or a word such
 * as `-draft` in an unquoted query.
 */
function dashedQuery(command: string, args: readonly string[]): string | undefined {
  const open = args.slice(0, args.includes('--') ? args.indexOf('--') : args.length);
  const query = open.find((arg) => /^-.*\s/s.test(arg) && !/^--[\w-]+=/.test(arg));
  if (query !== undefined) {
    const paths = open.filter((arg) => !command.split(' ').includes(arg) && existsSync(arg)).map(asTyped);
    const after = [quoted(query), ...paths].join(' ');
    return `Put a query that begins with - after --, and options before it: ${command} -- ${after}.`;
  }
  const word = open.find((arg) => /^-\p{L}{2}/u.test(arg));
  return (
    word &&
    `To exclude passages with a word, quote the whole query, such as ${command} ${quoted(`WORDS ${word}`)}. To search for that word: ${command} -- ${quoted(word)}.`
  );
}

function asTyped(word: string): string {
  return /^[\p{L}\p{N}_./:=~@-]+$/u.test(word) ? word : quoted(word);
}

function quoted(text: string): string {
  return text.includes('"') ? `'${text}'` : `"${text}"`;
}

/** Finds the command inside a group whose name is most like the typed word. Returns all words of that command. */
function nearestCommand(group: Command, typed: string): string | undefined {
  const inside = allInside(group);
  const [name] = nearest(typed, new Set(inside.map((command) => command.name())));
  const found = inside.find((command) => command.name() === name);
  return found && wordsOf(found);
}

/** Commands at any depth, outer ones first. */
function allInside(group: Command): readonly Command[] {
  return [...group.commands, ...group.commands.flatMap(allInside)];
}

function wordsOf(command: Command): string {
  return command.parent ? `${wordsOf(command.parent)} ${command.name()}` : command.name();
}
