/** Commands and options, reduced to what completion scripts need. */

export interface CommandWords {
  readonly name: string;
  readonly summary: string;
  /** Its own options and the shared ones; not those of commands inside it. */
  readonly options: readonly OptionWords[];
  /** The values of its first argument, if they are fixed. */
  readonly choices: readonly string[];
  /** Its arguments include paths. */
  readonly files: boolean;
  /** The commands inside it. */
  readonly commands: readonly CommandWords[];
}

export interface OptionWords {
  /** `--top-n`, and the short form `-n` if there is one. */
  readonly flags: readonly string[];
  readonly summary: string;
  /** The kind of its value: none, one of `choices`, a path, or any text. */
  readonly value: 'none' | 'choice' | 'file' | 'text';
  readonly choices: readonly string[];
}

/** A command and the words that lead to it, such as `/models/rm`; the program itself is at `''`. */
export interface PlacedWords {
  readonly path: string;
  readonly words: CommandWords;
}

/** A command and all inside it, outer ones first. */
export function placed(words: CommandWords, path = ''): readonly PlacedWords[] {
  return [{ path, words }, ...words.commands.flatMap((inner) => placed(inner, `${path}/${inner.name}`))];
}

/** The options that a value follows, each once. */
export function takingValues(commands: readonly PlacedWords[]): readonly OptionWords[] {
  const options = commands.flatMap(({ words }) => words.options).filter(({ value }) => value !== 'none');
  return [...new Map(options.map((option) => [option.flags.join('|'), option])).values()];
}
