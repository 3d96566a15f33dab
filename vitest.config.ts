/** How the tests run: real files and processes, so each test file in a process of its own. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Examples import the package by its name.
  resolve: {
    alias: [
      { find: /^docfuse$/, replacement: fileURLToPath(new URL('src/index.ts', import.meta.url)) },
      { find: /^docfuse\/core$/, replacement: fileURLToPath(new URL('src/core/index.ts', import.meta.url)) },
      {
        find: /^docfuse\/(http|mcp)$/,
        replacement: fileURLToPath(new URL('src/surfaces/$1/index.ts', import.meta.url)),
      },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/build-package.ts',
    // Servers that run in a test keep their key, and commands their compiled code, here and not among what the user has.
    env: {
      XDG_STATE_HOME: fileURLToPath(new URL('node_modules/.state', import.meta.url)),
      XDG_CACHE_HOME: fileURLToPath(new URL('node_modules/.cache', import.meta.url)),
    },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Other processes are waited for, on machines with two cores.
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    // Many tests wait for processes: the core that is left free by default would idle.
    maxWorkers: '100%',
  },
});
