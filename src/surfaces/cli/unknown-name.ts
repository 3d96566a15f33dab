/** Which command was typed, and what a name that is no command, file or folder was perhaps meant as. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { DocfuseError } from '../../core/errors.ts';
import { nearest } from '../../engine/nearest.ts';

/** Has `group`, which is nothing without a command inside it, refuse others with the nearest one, however deep. */
export function refuseUnknown(group: Command): void {
  group.on('command:*', ([typed = '']: readonly string[]) => {
    throw unknownCommand(group, typed);
  });
}

/**
 * The arguments, where they begin with `help` those of the command it is about with `--help`: commander knows no commands
 * inside others there, and would print help for all in place of one that there is not.
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

function unknownCommand(group: Command, typed: string): DocfuseError {
  const meant = nearestCommand(group, typed);
  return new DocfuseError(
    'usage',
    `Unknown command '${typed}'.`,
    meant ? `Did you mean ${meant}?` : `${wordsOf(group)} --help lists all of them.`,
  );
}

/**
 * Says what else was perhaps meant, where the failure is about a path that was typed and is not there: the command inside
 * this one, or a query of several words.
 */
export function explainMissing(error: unknown, command: Command, paths: readonly string[]): unknown {
  if (!(error instanceof DocfuseError) || error.code !== 'not_found') return error;
  const missing = paths.find((path) => error.message.includes(resolve(path)));
  if (missing === undefined) return error;
  const meant = nearestCommand(command, missing);
  const guess = missing.startsWith('-') ? OPTION : asksInWords(command) ? QUOTES : '';
  const more = meant ? ` Did you mean ${meant}?` : guess;
  return more ? new DocfuseError(error.code, error.message, error.remedy + more, { cause: error }) : error;
}

const OPTION = ' What stands after -- is no option: options go before it.';
const QUOTES = ' A query of several words goes in quotes.';
const IN_WORDS: ReadonlySet<string> = new Set(['query', 'question']);

function asksInWords(command: Command): boolean {
  return command.registeredArguments.some((argument) => IN_WORDS.has(argument.name()));
}

/** The words of the command that these arguments begin. */
export function commandTyped(program: Command, args: readonly string[]): string {
  return wordsOf(begunBy(program, args));
}

/**
 * How to type a query that excludes a word, where a command that asks in words got one that reads as an option: all of a
 * query, or a word of one that was not quoted.
 */
export function dashedQuery(program: Command, args: readonly string[]): string | undefined {
  const command = begunBy(program, args);
  if (!asksInWords(command)) return undefined;
  const open = args.slice(0, args.includes('--') ? args.indexOf('--') : args.length);
  const query = open.find((arg) => /^-.*\s/s.test(arg) && !/^--[\w-]+=/.test(arg));
  if (query !== undefined) {
    return `A query that begins with - goes after --, and options before it: ${wordsOf(command)} -- ${quoted(query)}.`;
  }
  const word = open.find((arg) => /^-\p{L}{2}/u.test(arg));
  return (
    word &&
    `To leave a word out, quote it with the others: ${wordsOf(command)} ${quoted(`tokens ${word}`)}. To search for it: ${wordsOf(command)} -- ${quoted(word)}.`
  );
}

function quoted(text: string): string {
  return text.includes('"') ? `'${text}'` : `"${text}"`;
}

function begunBy(program: Command, args: readonly string[]): Command {
  const inner = (outer: Command, arg: string) => outer.commands.find((each) => each.name() === arg) ?? outer;
  return args.reduce(inner, program);
}

/** The words of the nearest command inside a group, those inside others told by their last word. */
function nearestCommand(group: Command, typed: string): string | undefined {
  const inside = allInside(group);
  const [name] = nearest(typed, new Set(inside.map((command) => command.name())));
  const found = inside.find((command) => command.name() === name);
  return found && wordsOf(found);
}

/** Nearer ones first. */
function allInside(group: Command): readonly Command[] {
  return [...group.commands, ...group.commands.flatMap(allInside)];
}

function wordsOf(command: Command): string {
  return command.parent ? `${wordsOf(command.parent)} ${command.name()}` : command.name();
}
