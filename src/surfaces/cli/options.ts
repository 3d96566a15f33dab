/** Makes command-line options from an operation's input schema, and reads the input from what was typed. */
import {
  type Argument,
  type Command,
  createArgument,
  createOption,
  InvalidArgumentError,
  type Option,
} from 'commander';
import { DocfuseError } from '../../core/errors.ts';
import { camelCase } from '../../core/model/camel-keys.ts';
import { type Field, fieldsOf, nameOf, nest } from '../operations/fields.ts';
import type { CommandLineHints, Operation } from '../operations/operation.ts';

/** The command that runs an operation: the operation's own command, or one that has an option for the operation. */
export function commandOf(operation: Operation): string {
  return operation.cli?.optionOf?.operation ?? commandWords(operation).join(' ');
}

/** The words of an operation's own command, such as `['list', 'tags']` for a command inside `list`. */
export function commandWords({ name, cli }: Operation): readonly string[] {
  return cli?.command ?? [name];
}

/** An operation with the fields of its input. Reading the fields is slow, so each command reads them once. */
export interface Described {
  readonly operation: Operation;
  readonly fields: readonly Field[];
}

/**
 * Declares arguments and options. A variant is another operation, which runs instead if its option is given. This option conflicts
 * with options that the variant lacks.
 */
export function declare(
  command: Command,
  { operation, fields }: Described,
  variants: readonly Described[],
): void {
  const positional = operation.cli?.arguments ?? [];
  for (const field of fields) {
    if (positional.includes(nameOf(field))) command.addArgument(toArgument(field));
    else command.addOption(toOption(field, operation.cli));
  }
  for (const { operation: variant, fields: known } of variants) {
    const field = known.find((each) => nameOf(each) === variant.cli?.optionOf?.field);
    if (field === undefined) continue;
    const strangers = new Set(fields.map(nameOf)).difference(new Set(known.map(nameOf)));
    command.addOption(toOption(field, variant.cli).conflicts([...strangers].map(camelCase)));
  }
}

/** Whether the user gave the option that runs this variant of a command. */
export function isAsked(variant: Operation, options: Readonly<Record<string, unknown>>): boolean {
  const field = variant.cli?.optionOf?.field;
  return field !== undefined && options[camelCase(field)] !== undefined;
}

/** The words that call an operation: its command, and for a variant also the option that the user must give. */
export function invocationOf(operation: Operation): string {
  const field = operation.cli?.optionOf?.field;
  return field === undefined
    ? commandOf(operation)
    : `${commandOf(operation)} ${spellField(operation)(field)}`;
}

/** Reads the operation's input from what commander parsed, before it is checked against the schema. */
export function readInput(
  { operation, fields }: Described,
  args: readonly unknown[],
  options: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const positional: readonly string[] = operation.cli?.arguments ?? [];
  const values = fields.map((field) => {
    const place = positional.indexOf(nameOf(field));
    const value = place >= 0 ? args[place] : options[camelCase(nameOf(field))];
    const whole = field.kind === 'map' && value !== undefined ? toMap(value as string[]) : value;
    return [field.path, whole] as const;
  });
  return nest(values.filter(([, value]) => value !== undefined));
}

/** Returns a function that spells a field as users type it: `top_n` is `--top-n`, `sync` with default true is `--no-sync`. */
export function spellField(operation: Operation): (name: string) => string {
  const positional: readonly string[] = operation.cli?.arguments ?? [];
  return (name) => {
    const field = fieldsOf(operation).find(({ path }) => path.join('.') === name);
    return field === undefined || positional.includes(name) ? name.toUpperCase() : flagOf(field);
  };
}

function toOption(field: Field, hints: CommandLineHints = {}): Option {
  const short = hints.short?.[nameOf(field)];
  const description = lowerFirst(withoutStop(field.description));
  const flag = `${short ? `-${short}, ` : ''}${flagOf(field)}`;
  if (field.kind === 'switch') return createOption(flag, description);
  if (field.kind === 'off-switch') return createOption(flag, `do not ${description}`);
  const option = createOption(`${flag} <${placeholderOf(field, hints)}>`, description);
  if (field.kind === 'number') return option.argParser(toNumber);
  const offered = field.choices ? option.choices(field.choices) : option;
  // Choices are for help and completion. The operation checks them, so that errors are worded the same on all surfaces.
  if (field.kind === 'list' && field.choices) return offered.argParser(collectChoices);
  if (field.kind === 'list' || field.kind === 'map') return offered.argParser(collect);
  return offered.argParser(String);
}

function toArgument(field: Field): Argument {
  const name = nameOf(field);
  const spelled = field.kind === 'list' ? `${name}...` : name;
  const description = lowerFirst(withoutStop(field.description));
  return createArgument(field.required ? `<${spelled}>` : `[${spelled}]`, description);
}

export function toNumber(value: string): number {
  const number = value.trim() === '' ? Number.NaN : Number(value);
  if (Number.isNaN(number)) throw new InvalidArgumentError('It is not a number.');
  return number;
}

/** A repeated option adds a value. `a,b` is one value: values may hold commas. */
export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/** Collects fixed choices. They contain no commas, so `hybrid,keyword` gives two values. */
function collectChoices(value: string, before: readonly string[] = []): string[] {
  return [...before, ...value.split(',').map((choice) => choice.trim())];
}

function toMap(pairs: readonly string[]): Record<string, string[]> {
  const map = new Map<string, string[]>();
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (at < 1) {
      throw new DocfuseError('usage', `${pair} is not of the form key=value.`, 'Write it like status=draft.');
    }
    const key = pair.slice(0, at);
    map.set(key, [...(map.get(key) ?? []), pair.slice(at + 1)]);
  }
  return Object.fromEntries(map);
}

function flagOf(field: Field): string {
  return `--${field.kind === 'off-switch' ? 'no-' : ''}${nameOf(field).replaceAll('_', '-')}`;
}

function placeholderOf(field: Field, hints: CommandLineHints): string {
  if (field.kind === 'map') return 'key=value';
  if (field.kind === 'number') return 'number';
  return hints.values?.[nameOf(field)] ?? nameOf(field).replaceAll('_', '-');
}

function withoutStop(text: string): string {
  return text.replace(/\.$/, '');
}

/** `Print help` → `print help`; words in capitals, such as `TREC`, stay. */
export function lowerFirst(text: string): string {
  return text.replace(/^\p{Lu}(?!\p{Lu})/u, (letter) => letter.toLowerCase());
}

/**
 * Whether a command works on the index of its folders or of a folder above them. False for commands that need only configuration
 * or judgements. Also false for `export`: from the index of a folder above, it would publish more than the given folders.
 */
export function asksIndex({ name, cli, http }: Operation): boolean {
  return cli?.paths === true && (http !== undefined || name === 'index');
}
