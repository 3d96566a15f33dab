/** One copy of index and model, however many ask at once: real processes, and what the system says that they hold. */
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BIN, createPlayground, type Playground } from './cli/docfuse.ts';
import { startServe } from './cli/start-serve.ts';
import { connectStdio } from './mcp/connect.ts';
import { processFacts, TELLS } from './process-facts.ts';

const MODEL = fileURLToPath(new URL('../../models/bge-small-en-v1.5/model_quantized.onnx', import.meta.url));
const CLIENTS = 3;

let playground: Playground;
beforeAll(async () => {
  playground = createPlayground(
    {
      'notes/a.md': '# Alpha\n\nThe first letter is alpha.\n',
      // Said at the end, when everything has been loaded that ever is.
      'said.mjs': `import { readFileSync } from 'node:fs';
      process.on('exit', () => {
        const maps = readFileSync('/proc/self/maps', 'utf8');
        process._rawDebug(maps.includes('libonnxruntime') ? 'runtime' : 'no runtime');
      });`,
    },
    { packagedModel: true },
  );
  await playground.run(['index', 'notes']);
});
afterAll(() => playground?.[Symbol.dispose]());

test.runIf(TELLS)(
  'a server loads the model before anyone asks, and no client of it ever does (only with /proc)',
  async () => {
    const { child } = await startServe(playground, ['notes']);
    const server = () => processFacts(child.pid!);
    await expect.poll(() => server().hasModel, { timeout: 30_000 }).toBe(true);
    // The weights are mapped, and the index knows which model it is.
    const size = statSync(MODEL).size;
    expect(server().read).toBeLessThan(size);

    const assistants = await Promise.all(
      Array.from({ length: CLIENTS }, () =>
        connectStdio({ args: [BIN, 'mcp', 'notes'], cwd: playground.folder, env: playground.env }),
      ),
    );
    const query = 'first letter alpha';
    const searches = Array.from({ length: CLIENTS }, () =>
      playground.run(['search', query, 'notes', '--json'], {
        env: { NODE_OPTIONS: `--import=${playground.folder}/said.mjs` },
      }),
    );
    const asked = assistants.map(({ client }) =>
      client.callTool({ name: 'query_documents', arguments: { query } }),
    );
    for (const { structuredContent } of await Promise.all(asked))
      expect(structuredContent).toMatchObject({ hits: [{ document_id: expect.stringMatching(/\/a\.md$/) }] });
    for (const { pid } of assistants)
      expect(processFacts(pid!)).toMatchObject({ hasRuntime: false, hasModel: false, holdsIndex: false });
    for (const { code, stdout, stderr } of await Promise.all(searches)) {
      expect([code, stderr]).toEqual([0, 'no runtime\n']);
      expect(JSON.parse(stdout)).toMatchObject({ hits: [{ path: 'a.md' }] });
    }
    expect(server()).toMatchObject({ hasRuntime: true, holdsIndex: true });
    expect(server().read).toBeLessThan(size);

    const alone = await playground.run(['search', query, 'notes', '--json', '--no-server'], {
      env: { NODE_OPTIONS: `--import=${playground.folder}/said.mjs` },
    });
    expect(alone.stderr).toBe('runtime\n');
    await Promise.all(assistants.map(({ client }) => client.close()));
  },
  120_000,
);
