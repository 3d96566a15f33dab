/** Writes a commit as a Markdown document: who and when as front matter, then what was said and which files changed. */

export interface Commit {
  readonly hash: string;
  readonly author: string;
  /** ISO 8601, with the author's time zone. */
  readonly date: string;
  readonly message: string;
  /** Relative to the top of the repository; empty for a merge. */
  readonly paths: readonly string[];
}

/** More are counted, not named: a commit that moves all files is not about any of them. */
const MOST_PATHS = 100;
const CONTROL = /\p{Cc}+/gu;

/** The subject is the title; a commit without a message is called by its hash. */
export function commitText({ hash, author, date, message, paths }: Commit): string {
  const [first = '', ...rest] = message.trim().split('\n');
  const subject = first.trim() || `Commit ${hash.slice(0, 12)}`;
  const body = rest.join('\n').trim() || subject;
  const front = { title: subject, author: author.trim(), date, commit: hash };
  return [
    '---',
    // A JSON string is a YAML string.
    ...Object.entries(front).map(([key, value]) => `${key}: ${JSON.stringify(value.replace(CONTROL, ' '))}`),
    '---',
    '',
    body,
    '',
    ...changed(paths),
  ].join('\n');
}

function changed(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const named = paths.slice(0, MOST_PATHS).map((path) => `- ${codeSpan(path.replace(CONTROL, ' '))}`);
  const rest = paths.length - named.length;
  return ['Changed files:', '', ...named, ...(rest > 0 ? [`- and ${rest} more`] : []), ''];
}

/** With a fence longer than any run of backticks inside. */
function codeSpan(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = '`'.repeat(1 + Math.max(0, ...runs.map((run) => run.length)));
  const pad = runs.length > 0 ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}
