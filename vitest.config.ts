/** How the tests run: real files and processes, so each test file in a process of its own. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['test/**/*.test.ts'], testTimeout: 30_000, hookTimeout: 60_000, pool: 'forks' },
});
