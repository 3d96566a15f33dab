/** What a completion script needs to know of the commands. */

/** A command as a completion script needs it. */
export interface CommandWords {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly OptionWords[];
  /** Commands below it, and values of its first argument where they are fixed. */
  readonly choices: readonly string[];
  /** Its arguments include paths. */
  readonly files: boolean;
}

export interface OptionWords {
  /** `--top-n`, and `-n` where there is one. */
  readonly flags: readonly string[];
  readonly summary: string;
  /** What follows it: nothing, one of `choices`, a path, or words of the user's own. */
  readonly value: 'none' | 'choice' | 'file' | 'text';
  readonly choices: readonly string[];
}
