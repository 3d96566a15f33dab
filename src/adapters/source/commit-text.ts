/** Writes a commit as a Markdown document: author and date as front matter, then the message and the changed files. */

export interface Commit {
  readonly hash: string;
  readonly author: string;
  /** ISO 8601, with the author's time zone. */
  readonly date: string;
  readonly message: string;
  /** Relative to the top of the repository; empty for a merge. */
  readonly paths: readonly string[];
}

/** Max changed files that a document lists by name: a commit that moves all files is not about any of them. */
const MAX_PATHS = 100;
const CONTROL = /\p{Cc}+/gu;

/** Lengths of the short hashes that git prints: 7 digits in small repositories, 12 in the largest, one more in `git blame`. */
const ABBREVIATIONS = [7, 8, 9, 10, 11, 12, 13];

/** The title is the first line with a letter or digit; without such a line, `Commit` and the short hash. */
export function commitText({ hash, author, date, message, paths }: Commit): string {
  const lines = message.trim().split('\n');
  const first = lines.findIndex((line) => /[\p{L}\p{N}]/u.test(line));
  const subject = lines[first]?.trim() ?? `Commit ${hash.slice(0, 12)}`;
  const body = lines.toSpliced(Math.max(0, first), 1).join('\n').trim() || subject;
  const front = { title: subject, author: author.trim(), date, commit: hash };
  const aliases = [...ABBREVIATIONS.map((digits) => hash.slice(0, digits)), hash];
  return [
    '---',
    // A JSON string is a YAML string.
    ...Object.entries(front).map(([key, value]) => `${key}: ${JSON.stringify(value.replace(CONTROL, ' '))}`),
    // Keyword search finds aliases. They are not part of the embedded text.
    `aliases: ${JSON.stringify(aliases)}`,
    '---',
    '',
    body,
    '',
    ...changed(paths),
  ].join('\n');
}

function changed(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const named = paths.slice(0, MAX_PATHS).map((path) => `- ${codeSpan(path.replace(CONTROL, ' '))}`);
  const rest = paths.length - named.length;
  return ['Changed files:', '', ...named, ...(rest > 0 ? [`- and ${rest} more`] : []), ''];
}

/** Makes a code span; its fence is longer than every run of backticks inside. */
function codeSpan(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = '`'.repeat(1 + Math.max(0, ...runs.map((run) => run.length)));
  const pad = runs.length > 0 ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}
