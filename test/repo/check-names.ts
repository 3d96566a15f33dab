/** Finds paths and commands that a page names and that are not there. */
import type { MarkdownPage } from './check-links.ts';

/** Folders of the project, with or without `src/`; no example of a user's folder has such a name. */
const PATH =
  /(?<![\w./-])(?:src|core|engine|adapters|surfaces|test|bench|scripts|bin|\.ci|models|docs\/(?:decisions|explain|guides|reference|images))\/[\w./*{},-]*/g;
const SCRIPT = /\bnpm run ([\w:-]+)/g;
/** At the beginning of a line of code. */
const COMMAND = /^\$? ?(?:npx |\S*bin\/)?docfuse(?:\.js)? ([a-z]+)\b/gm;

export interface Names {
  /** Every file of the project. */
  readonly paths: readonly string[];
  /** Names of npm scripts. */
  readonly scripts: readonly string[];
  /** First words of docfuse's commands. */
  readonly commands: readonly string[];
}

/** As `page: name`; a path may name a folder, and hold `*` and `{a,b}`. */
export function missingNames(pages: readonly MarkdownPage[], names: Names): readonly string[] {
  return pages.flatMap(({ path, text }) => {
    const code = codeOf(text);
    const found = [
      ...[...code.matchAll(PATH)]
        .map(([name]) => name.replace(/[.,]+$/, ''))
        .filter((name) => !isPath(name, names.paths)),
      ...unknown(code, SCRIPT, names.scripts),
      ...unknown(code, COMMAND, names.commands),
    ];
    return [...new Set(found)].map((name) => `${path}: ${name}`);
  });
}

/** Inline and fenced code, a piece a line. */
function codeOf(text: string): string {
  return [...text.matchAll(/```[^\n]*\n([\s\S]*?)```|`([^`\n]+)`/g)]
    .map(([, fenced, inline]) => fenced ?? inline)
    .join('\n');
}

function isPath(name: string, paths: readonly string[]): boolean {
  const pattern = name
    .replaceAll(/[.+]/g, '\\$&')
    .replaceAll(/\{([^}]*)\}/g, (_, choices: string) => `(?:${choices.replaceAll(',', '|')})`)
    .replaceAll(/\*+/g, '.*')
    .replace(/\/$/, '');
  const whole = new RegExp(`^(?:src/)?${pattern}(?:/|$)`);
  return paths.some((path) => whole.test(path));
}

function unknown(code: string, pattern: RegExp, known: readonly string[]): readonly string[] {
  return [...code.matchAll(pattern)].filter(([, name]) => !known.includes(name!)).map(([whole]) => whole);
}
