/** An operation that ends only when it is stopped. */
import { defineOperation } from '../../../src/surfaces/operations/operation.ts';

/** @param tell hears `started` and `stopped` */
export function waiting(tell: (event: 'started' | 'stopped') => void) {
  return defineOperation({
    name: 'wait',
    summary: 'Wait until you are stopped',
    input: () => ({}),
    output: () => ({}),
    readOnly: true,
    mcp: { name: 'wait', arguments: [] },
    run: (_context, _input, { signal }) =>
      new Promise((_, reject) => {
        tell('started');
        signal?.addEventListener('abort', () => {
          tell('stopped');
          reject(signal.reason);
        });
      }),
  });
}
