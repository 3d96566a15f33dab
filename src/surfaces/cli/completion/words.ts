/** What a completion script needs to know of the commands. */

/** A command as a completion script needs it. */
export interface CommandWords {
  readonly name: string;
  readonly summary: string;
  /** Its own and those of every command; not those of commands inside it. */
  readonly options: readonly OptionWords[];
  /** Values of its first argument where they are fixed. */
  readonly choices: readonly string[];
  /** Its arguments include paths. */
  readonly files: boolean;
  /** Those inside it. */
  readonly commands: readonly CommandWords[];
}

export interface OptionWords {
  /** `--top-n`, and `-n` where there is one. */
  readonly flags: readonly string[];
  readonly summary: string;
  /** What follows it: nothing, one of `choices`, a path, or words of the user's own. */
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
