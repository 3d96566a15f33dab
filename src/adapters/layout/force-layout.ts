/** Places the nodes of a graph in a separate thread, which ends when the graph is placed. */
import { extname } from 'node:path';
import { SHARE_ENV, Worker } from 'node:worker_threads';
import type { GraphLayout } from '../../core/ports.ts';
import type { LayoutReply, LayoutRequest } from './layout-worker.ts';

/** The file beside this one: `.ts` when run from source, `.js` when built. */
const WORKER_FILE = new URL(`./layout-worker${extname(import.meta.url)}`, import.meta.url);

/** @param file code of the thread; it uses the messages of `layout-worker.ts` */
export function createForceLayout(file: URL = WORKER_FILE): GraphLayout {
  return {
    async place(graph, steps, signal) {
      signal.throwIfAborted();
      const workerData: LayoutRequest = { graph, steps };
      // Without `execArgv`, the thread would inherit flags of this process, such as `--eval` and loaders.
      const worker = new Worker(file, { workerData, name: 'docfuse-layout', execArgv: [], env: SHARE_ENV });
      const { promise, resolve, reject } = Promise.withResolvers<LayoutReply>();
      const stop = () => {
        reject(signal.reason);
        void worker.terminate();
      };
      signal.addEventListener('abort', stop, { once: true });
      worker.on('message', resolve);
      worker.on('error', reject);
      worker.on('exit', (code) => reject(new Error(`The layout thread ended with exit code ${code}.`)));
      try {
        return await promise;
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
  };
}
