/** Fuzz target: lines sent to a real MCP server over stdio. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fc from 'fast-check';
import { operations } from '../../src/surfaces/operations/operations.ts';
import { separated } from '../support/separated.ts';
import { BIN, createPlayground } from '../surfaces/cli/docfuse.ts';
import { MARKS } from './arbitrary-text.ts';
import { type FuzzTarget, fuzzTarget } from './fuzz-target.ts';

const METHODS = [
  ...[
    'ping',
    'initialize',
    'tools/list',
    'tools/call',
    'tools/call',
    'tools/call',
    'resources/list',
    'resources/read',
  ],
  ...[
    'resources/templates/list',
    'resources/subscribe',
    'prompts/list',
    'prompts/get',
    'completion/complete',
  ],
  ...['logging/setLevel', 'notifications/initialized', 'notifications/cancelled', 'notifications/progress'],
  ...['subscriptions/listen', 'server/discover', 'sampling/createMessage', 'rpc.discover', '', '__proto__'],
];
const value = fc.oneof(
  fc.constantFrom(
    null,
    true,
    0,
    -1,
    1e308,
    '',
    'alpha',
    [],
    {},
    '2025-06-18',
    'file:///etc/passwd',
    'docfuse://notes/a.md',
  ),
  fc.constantFrom(...MARKS),
  fc.json({ maxDepth: 2 }).map((text) => JSON.parse(text) as unknown),
);
const params = fc.oneof(
  fc.record(
    {
      name: fc.oneof(fc.constantFrom(...operations.map(({ name }) => name)), value),
      arguments: fc.oneof(
        fc.dictionary(
          fc.constantFrom('query', 'document', 'top_n', 'filters', 'sync', '__proto__', 'x'),
          value,
          { maxKeys: 3 },
        ),
        value,
      ),
      uri: value,
      ref: value,
      requestId: value,
      _meta: value,
    },
    { requiredKeys: [] },
  ),
  value,
);
const message = fc
  .record(
    {
      jsonrpc: fc.oneof(fc.constant('2.0'), value),
      id: value,
      method: fc.oneof(fc.constantFrom(...METHODS), value),
      params,
    },
    { requiredKeys: [] },
  )
  .map((each) => ({ jsonrpc: '2.0', ...each }));
const json = fc.oneof(
  { weight: 6, arbitrary: message.map((each) => JSON.stringify(each)) },
  fc.array(message, { maxLength: 3 }).map((each) => JSON.stringify(each)),
  fc.json({ maxDepth: 3 }),
  fc.constantFrom('[', '{').map((open) => open.repeat(3_000)),
);
const LONG = Buffer.alloc(1_100_000, 'x');
const bytes = fc.oneof(
  { weight: 40, arbitrary: json.map((text) => Buffer.from(text)) },
  {
    weight: 10,
    arbitrary: fc.tuple(json, fc.nat(), fc.nat(20)).map(([text, at, length]) => {
      const from = at % (text.length + 1);
      return Buffer.from(text.slice(0, from) + text.slice(from + length));
    }),
  },
  {
    weight: 10,
    arbitrary: fc
      .tuple(json, fc.constantFrom(...MARKS))
      .map(([text, mark]) => Buffer.from(mark + text + mark)),
  },
  { weight: 10, arbitrary: fc.uint8Array({ maxLength: 40 }).map((each) => Buffer.from(each)) },
  { weight: 1, arbitrary: fc.constant(LONG) },
);
const ends = fc.constantFrom('\n', '\n', '\n', '\r\n', '', '\n\n');

/** Garbage, half lines, long lines and wrong types: the server goes on, and all that it writes is the protocol's. */
export const mcpTarget: FuzzTarget = {
  name: 'mcp',
  async run(options) {
    using playground = createPlayground({ 'notes/a.md': '# Alpha\n\nThe first letter is alpha.\n' });
    const child = spawn(process.execPath, [BIN, 'mcp', '--no-server', 'notes'], {
      cwd: playground.folder,
      env: playground.env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const written = separated(child.stdout, '\n');
    let asked = 0;

    /** Reads until the server answers a question of ours, so that whatever came before it has been dealt with. */
    async function ping(): Promise<readonly string[]> {
      const id = `ping ${asked++}`;
      child.stdin.write(`\n${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`);
      for (const wrong: string[] = []; ; ) {
        const line = await next();
        const answer = JSON.parse(line) as { readonly jsonrpc?: unknown; readonly id?: unknown };
        if (answer.jsonrpc !== '2.0') wrong.push(`it writes ${line.slice(0, 200)}`);
        if (/\\n +at [^"]*(?:file|node):/.test(line)) wrong.push('it tells what is not its to tell');
        if (answer.id === id) return wrong;
      }
    }

    async function next(): Promise<string> {
      const late = new Promise<never>((_, reject) => {
        setTimeout(() => reject(new Error('it does not answer')), 20_000).unref();
      });
      const line = await Promise.race([written(), late]);
      if (line === undefined) throw new Error('it has ended');
      return line;
    }

    try {
      const hello = {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'fuzz', version: '0' },
      };
      child.stdin.write(
        `${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: hello })}\n`,
      );
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
      await ping();
      await fuzzTarget('mcp', fc.array(fc.tuple(bytes, ends), { minLength: 1, maxLength: 4 }), (lines) => {
        for (const [line, end] of lines) {
          child.stdin.write(line);
          child.stdin.write(end);
        }
        return ping();
      }).run(options);
    } finally {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
    }
  },
};
