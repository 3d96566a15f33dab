/** How the tests run: two projects over the same sources, by what their tests need. */
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongFirst } from './test/long-first.ts';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Tests that run the command as it is packed. */
const COMMAND = [
  'test/{surfaces,fuzz}/**/*.test.ts',
  'test/engine/verify-stored.test.ts',
  'test/adapters/store/index-files.test.ts',
];

export default defineConfig({
  // Examples import the package by its name.
  resolve: {
    alias: [
      { find: /^docfuse$/, replacement: path('src/index.ts') },
      { find: /^docfuse\/core$/, replacement: path('src/core/index.ts') },
      { find: /^docfuse\/(http|mcp)$/, replacement: path('src/surfaces/$1/index.ts') },
    ],
  },
  test: {
    projects: [
      { extends: true, test: { name: 'parts', include: ['test/**/*.test.ts'], exclude: COMMAND } },
      { extends: true, test: { name: 'command', include: COMMAND, globalSetup: 'test/build-package.ts' } },
    ],
    // Servers that run in a test keep their key, and commands their compiled code, here and not among what the user has.
    env: {
      XDG_STATE_HOME: path('node_modules/.state'),
      XDG_CACHE_HOME: path('node_modules/.cache'),
      // Processes that run the sources start in half of the time.
      NODE_COMPILE_CACHE: path('node_modules/.cache/sources'),
    },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Other processes are waited for, on machines with two cores.
    expect: { poll: { timeout: 20_000 } },
    sequence: { sequencer: LongFirst },
    pool: 'forks',
    // Files share processes and loaded modules: loading them for each file takes a tenth of the run.
    // A test that changes the process (environment, working directory, timers) restores it.
    isolate: false,
    // Many tests wait, for processes, locks and clocks: two workers more than cores keep all cores busy.
    maxWorkers: availableParallelism() + 2,
  },
});
