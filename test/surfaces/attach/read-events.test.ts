/** Server-sent events are read whole, wherever the network cuts them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readEvents } from '../../../src/surfaces/attach/read-events.ts';

test('what is written is read, in pieces of any size', async () => {
  const events = fc.array(fc.record({ event: fc.constantFrom('progress', 'answer'), data: fc.jsonValue() }));
  const data = { text: 'one\n\ntwo\u2028three: four\r' };
  const property = fc.asyncProperty(events, fc.integer({ min: 1, max: 40 }), async (some, size) => {
    const written = [...some, { event: 'answer', data }];
    const text = written
      .map((each) => `event: ${each.event}\ndata: ${JSON.stringify(each.data)}\n\n`)
      .join('');
    async function* parts() {
      for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
    }
    expect(await Array.fromAsync(readEvents(parts()))).toEqual(JSON.parse(JSON.stringify(written)));
  });
  await fc.assert(property);
});
