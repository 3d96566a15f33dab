/** Counts what a server does, in the text format of Prometheus, and remembers search times. Keeps no query, path or title. */
import { notInstalled } from '../../core/errors.ts';
import type { SearchMode } from '../../core/model/query.ts';
import type { IndexFacts } from '../../engine/api.ts';
import type { Activity } from '../../engine/watch/background-work.ts';
import type { SearchReport, SearchTimes } from '../operations/operation.ts';

export interface Metrics {
  /** @param outcome `ok`, or the code of the problem */
  answered(operation: string, outcome: string, milliseconds: number): void;
  responded(status: number): void;
  /** Counts a connection that was refused before its request reached a route. */
  refused(): void;
  response(): Promise<Response>;
}

export interface MeasuredServer {
  readonly version: string;
  index(): Promise<IndexFacts>;
  activity(): Activity;
  load(): number;
}

/** Upper bounds of the buckets, in seconds: from the time of a cached answer to the time limit of a request. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** Milliseconds for which facts about the index are cached: reading them takes longer than reading all other metrics. */
const FACTS_MS = 5_000;

/** @throws DocfuseError `package_missing` without `prom-client` */
export async function createMetrics(server: MeasuredServer): Promise<Metrics> {
  const loaded = await import('prom-client').catch(notInstalled('Metrics need', 'prom-client'));
  const { Counter, Gauge, Histogram, Registry } = loaded.default;
  const registry = new Registry();
  const registers = [registry];
  const answers = new Histogram({
    name: 'docfuse_answer_seconds',
    help: 'Time of answers, waiting included.',
    registers,
    labelNames: ['operation', 'outcome'],
    buckets: BUCKETS,
  });
  const responses = new Counter({
    name: 'docfuse_http_responses_total',
    help: 'HTTP responses by status.',
    registers,
    labelNames: ['status'],
  });
  const refused = new Counter({
    name: 'docfuse_connections_refused_total',
    help: 'Connections refused before their request reached a route: too many, too slow, not HTTP.',
    registers,
  });
  new Gauge({
    name: 'docfuse_info',
    help: 'Version of docfuse.',
    registers,
    labelNames: ['version'],
  }).set({ version: server.version }, 1);

  /** Declares a metric whose value is read at each request for the metrics. If the value is undefined, the metric is left out. */
  function read(name: string, help: string, value: () => number | undefined | Promise<number | undefined>) {
    new (name.endsWith('_total') ? Counter : Gauge)({
      name,
      help,
      registers,
      async collect() {
        const now = await value();
        this.reset();
        if (now === undefined) this.remove();
        else this.inc(now);
      },
    });
  }
  let known: { readonly until: number; readonly facts: Promise<IndexFacts | undefined> } | undefined;
  function index(): Promise<IndexFacts | undefined> {
    if (!known || known.until < performance.now()) {
      // If reading fails, the metrics of the index are left out. The other metrics and the log show the failure.
      known = { until: performance.now() + FACTS_MS, facts: server.index().catch(() => undefined) };
    }
    return known.facts;
  }
  read('docfuse_operations', 'Operations that run or wait.', server.load);
  read('docfuse_documents', 'Documents in the index.', async () => (await index())?.documents);
  read('docfuse_passages', 'Passages in the index.', async () => (await index())?.chunks);
  read('docfuse_passages_without_vector', 'Passages that cannot be found by meaning yet.', async () => {
    const facts = await index();
    return facts && facts.chunks - facts.embedded;
  });
  read('docfuse_updated_timestamp_seconds', 'Time of the last update of the index.', async () => {
    const { updated } = (await index()) ?? {};
    return updated === undefined ? undefined : Date.parse(updated) / 1_000;
  });
  new Gauge({
    name: 'docfuse_activity',
    help: 'What the server does to the index.',
    registers,
    labelNames: ['state'],
    collect() {
      const { state } = server.activity();
      for (const each of ['idle', 'reading', 'embedding']) this.set({ state: each }, each === state ? 1 : 0);
    },
  });
  const cpu = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  };
  read('process_cpu_seconds_total', 'Processor time of all threads.', cpu);
  read('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss());
  read('process_start_time_seconds', 'Start of the process.', () => performance.timeOrigin / 1_000);
  const busy = () => performance.eventLoopUtilization().active / 1_000;
  read('docfuse_event_loop_busy_seconds_total', 'Time for which the thread that answers was busy.', busy);

  return {
    answered: (operation, outcome, milliseconds) =>
      answers.observe({ operation, outcome }, milliseconds / 1_000),
    responded: (status) => responses.inc({ status: String(status) }),
    refused: () => refused.inc(),
    response: async () =>
      new Response(await registry.metrics(), { headers: { 'content-type': registry.contentType } }),
  };
}

const KEPT = 200;

export function createSearchTimes() {
  const words = createTimes();
  const meaning = createTimes();
  return {
    add(mode: SearchMode, milliseconds: number): void {
      (mode === 'keyword' || mode === 'code' ? words : meaning).add(milliseconds);
    },
    report: (): SearchReport => ({ byWords: words.report(), withMeaning: meaning.report() }),
  };
}

function createTimes() {
  const recent: number[] = [];
  let count = 0;
  return {
    add(milliseconds: number): void {
      count++;
      recent.push(Math.round(milliseconds * 10) / 10);
      if (recent.length > KEPT) recent.shift();
    },
    report: (): SearchTimes => ({ count, recentMs: [...recent] }),
  };
}
