/**
 * How much of a budget an assistant needs to read the facts of 20 answers, over the official client.
 * The agent is a script: it asks, reads what the first hits belong to, then tries a hypothesis, and ends when the fact stands in what it read.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { connectMcp } from './connect-mcp.ts';
import { keep } from './record.ts';

const PROJECT = join(import.meta.dirname, '..');
const { values } = parseArgs({
  options: {
    /** Another checkout, to compare with. */
    project: { type: 'string', default: PROJECT },
    /** Characters of text that may be read for one question. */
    budget: { type: 'string', default: '8000' },
    calls: { type: 'string', default: '4' },
    out: { type: 'string' },
  },
});
const BUDGET = Number(values.budget);
const MAX_CALLS = Number(values.calls);

/** Asked as people ask; found when the text that was read holds the fact; then what an assistant guesses. */
const QUESTIONS: readonly (readonly [string, RegExp, string])[] = [
  ['why is my big log file not indexed', /10 MiB/, 'Files above a size limit are left out.'],
  [
    'can I search the messages of my git commits',
    /kind = "git"/,
    'A collection of kind git indexes commits.',
  ],
  ['what happens when I press ctrl-c while it indexes', /goes on where/, 'The next run continues.'],
  [
    'two processes indexing the same folder',
    /waits until that is done/,
    'The second one waits for the lock.',
  ],
  ['where on disk are pulled models kept', /docfuse\/models/, 'Models lie in the data folder.'],
  ['the disk is full', /exit code 1; what was indexed/, 'The run ends and can be resumed.'],
  ['index is broken, how do I start over', /--rebuild/, 'Run index with rebuild.'],
  ['does it need a password to listen on all interfaces', /DOCFUSE_TOKEN=/, 'Another address needs a token.'],
  ['how many connections can a client open', /128 for one other machine/, 'Connections are limited.'],
  ['download models through a mirror', /DOCFUSE_HUB/, 'A variable names the mirror.'],
  ['cross encoder', /ms-marco-MiniLM-L-6-v2/, 'Pull a cross-encoder to rerank.'],
  [
    'same text in several files, show me all copies',
    /content_dedup_enabled=false/,
    'Turn deduplication off.',
  ],
  ['use ollama to answer', /127\.0\.0\.1:11434/, 'Set the address of the service under answer.'],
  [
    'I cloned a repository with a docfuse.toml, is that dangerous',
    /trust = \[/,
    'Such files are not trusted.',
  ],
  ['how sure must a hit be to be shown', /0\.24/, 'There is a threshold for confidence.'],
  ['which MCP protocol versions', /2024-11-05/, 'Revisions of the protocol that are spoken.'],
  ['why commander and not yargs', /yargs/, 'Commander was chosen for arguments.'],
  ['weight of recent documents', /recency_/, 'Recent documents are ranked higher.'],
  ['run it inside the browser', /createMemoryIndex/, 'The core runs in a browser.'],
  ['measure on my own questions', /docfuse eval/, 'Use eval with a judged set.'],
];

const project = resolve(values.project);
const work = await mkdtemp(join(tmpdir(), 'docfuse-agent-'));
// The questions are about this checkout's pages, whichever program is asked.
const folder = join(work, 'docs');
await cp(join(PROJECT, 'docs'), folder, { recursive: true });
const client = await connectMcp(project, join(work, 'index'), folder, work);
const listed = JSON.stringify(await client.listTools()).length;

interface Outcome {
  readonly question: string;
  readonly found: boolean;
  readonly calls: number;
  /** Of text, which a model reads. */
  readonly characters: number;
  /** Of structured content, which some clients hand to the model besides or instead. */
  readonly structured: number;
}

const outcomes: Outcome[] = [];
for (const [question, fact, guess] of QUESTIONS) outcomes.push(await answer(question, fact, guess));
await client.close();
await rm(work, { recursive: true });

const sum = (of: (outcome: Outcome) => number) => outcomes.reduce((total, each) => total + of(each), 0);
const measured = {
  questions: outcomes.length,
  budget: BUDGET,
  most_calls: MAX_CALLS,
  list_characters: listed,
  found: outcomes.filter(({ found }) => found).length,
  calls: sum(({ calls }) => calls),
  characters: sum(({ characters }) => characters),
  structured_characters: sum(({ structured }) => structured),
  outcomes,
};
console.log(JSON.stringify({ ...measured, outcomes: undefined }));
console.log(
  outcomes
    .map((each) => `${each.found ? 'found' : '-----'}  ${each.calls}  ${each.characters}  ${each.question}`)
    .join('\n'),
);
await keep('agent', measured, values.out);

async function answer(question: string, fact: RegExp, guess: string): Promise<Outcome> {
  const spent = { calls: 0, characters: 0, structured: 0 };
  const read = new Set<string>();
  async function call(name: string, args: Record<string, unknown>): Promise<string> {
    const { content, structuredContent } = await client.callTool({ name, arguments: args });
    const text = (content as readonly { readonly text?: string }[]).map((each) => each.text ?? '').join('\n');
    spent.calls += 1;
    // What does not fit into the budget is not read.
    const seen = text.slice(0, Math.max(0, BUDGET - spent.characters));
    spent.characters += seen.length;
    spent.structured += JSON.stringify(structuredContent ?? {}).length;
    return seen;
  }
  const may = () => spent.calls < MAX_CALLS && spent.characters < BUDGET;
  let text = await call('query_documents', { query: question });
  const places = () =>
    [...text.matchAll(/^\[\d+\] (.+?\.md):(\d+)-\d+/gm)].map(([, document, line]) => ({
      document: document!,
      start_line: Number(line),
    }));
  const [nearest] = places();
  const done = () => fact.test(text);
  if (!done() && may() && nearest) {
    read.add(nearest.document);
    text = await call('read_document', nearest);
  }
  if (!done() && may()) text = await call('search_with_hypothesis', { hypothesis: guess });
  const other = places().find(({ document }) => !read.has(document));
  if (!done() && may() && other) text = await call('read_document', other);
  return { question, found: done(), ...spent };
}
