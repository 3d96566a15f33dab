/** What Prometheus reads from a server, over real HTTP. */
import { expect, test } from 'vitest';
import { createServed, NOTES, type Served } from './served.ts';

const TOKEN = 'a-token-of-some-length';
const LET_IN = { authorization: `Bearer ${TOKEN}` };
/** Words of a question and of a path, which must not be counted by. */
const PRIVATE = /lantern|tokens|guide/;

test('metrics count answers, refusals and passages, and name no query and no path', async () => {
  await using served = await createServed({ metrics: true, token: TOKEN });
  await served.ready(LET_IN);
  for (const query of ['lantern', 'tokens']) await served.get(`/api/search?query=${query}`, LET_IN);
  await served.get('/api/search?none=1', LET_IN);
  await served.get('/api/documents/guide%2Fnone.md', LET_IN);
  await served.get('/api/search?query=lantern');
  await served.get('/guide/lantern', LET_IN);
  const { text, values, types } = await read(served);
  expect(values.get('docfuse_answer_seconds_count{operation="search",outcome="ok"}')).toBe(2);
  expect(values.get('docfuse_answer_seconds_bucket{le="+Inf",operation="search",outcome="ok"}')).toBe(2);
  expect(values.get('docfuse_answer_seconds_sum{operation="search",outcome="ok"}')).toBeGreaterThan(0);
  expect(values.get('docfuse_answer_seconds_count{operation="read",outcome="not_found"}')).toBe(1);
  expect(values.get('docfuse_http_responses_total{status="401"}')).toBe(1);
  expect(values.get('docfuse_http_responses_total{status="400"}')).toBe(1);
  expect(values.get('docfuse_http_responses_total{status="404"}')).toBe(2);
  expect(values.get('docfuse_documents')).toBe(Object.keys(NOTES).length);
  expect(values.get('docfuse_passages')).toBeGreaterThan(2);
  expect(values.get('docfuse_passages_without_vector')).toBe(0);
  expect(values.get('docfuse_operations')).toBe(0);
  expect(values.get('docfuse_activity{state="idle"}')).toBe(1);
  const age = Date.now() / 1_000 - values.get('docfuse_updated_timestamp_seconds')!;
  expect(age).toBeGreaterThanOrEqual(0);
  expect(age).toBeLessThan(120);
  expect(values.get('process_resident_memory_bytes')).toBeGreaterThan(1e7);
  expect(values.get('process_cpu_seconds_total')).toBeGreaterThan(0);
  expect(types.get('process_cpu_seconds_total')).toBe('counter');
  expect(types.get('docfuse_documents')).toBe('gauge');
  expect(text).not.toMatch(PRIVATE);
});

test('a connection that is refused before its request is read is counted', async () => {
  await using served = await createServed({ metrics: true });
  const { connect } = await import('node:net');
  await new Promise((closed) =>
    connect(served.port, '127.0.0.1').on('close', closed).resume().write('no HTTP\r\n\r\n'),
  );
  expect((await read(served)).values.get('docfuse_connections_refused_total')).toBe(1);
});

test('they are behind the token, and absent unless asked for', async () => {
  await using locked = await createServed({ metrics: true, token: TOKEN });
  expect((await locked.get('/metrics')).status).toBe(401);
  expect((await locked.get('/metrics', LET_IN)).headers.get('content-type')).toMatch(
    /^text\/plain; version=0\.0\.4/,
  );
  await using plain = await createServed();
  expect((await plain.get('/metrics')).status).toBe(404);
});

/** Reads the text format; each line that is neither a comment nor a sample fails the test. */
async function read(served: Served) {
  const text = await (await served.get('/metrics', LET_IN)).text();
  const values = new Map<string, number>();
  const types = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, kind, name, rest] = /^# (HELP|TYPE) ([a-z_]+) (.+)$/.exec(line) ?? [];
    if (kind === 'TYPE') types.set(name!, rest!);
    if (kind !== undefined || line === '') continue;
    const [, sample, labels = '', value] = /^([a-z_]+)(\{(?:[a-z]+="[^"\\]*",?)+\})? (\S+)$/.exec(line) ?? [];
    expect(sample, line).toBeDefined();
    expect(types.has(sample!) || types.has(sample!.replace(/_(bucket|sum|count)$/, '')), line).toBe(true);
    values.set(sample! + labels, Number(value));
  }
  return { text, values, types };
}
