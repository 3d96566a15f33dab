/**
 * Searches by words and meaning in a worker. Its script lies in the folder of the model, and loads everything when it receives
 * the start file. The Content-Security-Policy of the page does not apply to a worker, so the page need not allow WebAssembly.
 */
import { Tokenizer } from '@huggingface/tokenizers';
import { env, InferenceSession, Tensor } from 'onnxruntime-web/wasm';
import { createEncoder, cutTokens } from '../../../adapters/encoding/encode-texts.ts';
import { DocfuseError } from '../../../core/errors.ts';
import {
  type DocumentNeighbours,
  type ExportMeaning,
  type ExportStart,
  fragmentFile,
  type ModelPart,
  modelFile,
  NEIGHBOURS_FILE,
} from '../../../core/fragments/export-format.ts';
import { loadMeaning } from '../../../core/fragments/fragment-meaning.ts';
import { problemOf, search } from './answers.ts';
import type { FromWorker, ToWorker } from './meaning.ts';
import { load, modelProblem, openSite, type SiteData } from './site-data.ts';

const base = new URL('../', location.href).href;

const tell = (message: FromWorker) => postMessage(message);

listen();

function listen(): void {
  const stops = new Map<number, AbortController>();
  let site: Promise<SiteData>; // opened by the first message

  async function answer({ id, input }: Extract<ToWorker, { readonly id: number }>): Promise<void> {
    const stop = new AbortController();
    stops.set(id, stop);
    try {
      tell({ id, outcome: { answer: await search(await site, input, stop.signal) } });
    } catch (error) {
      if (stop.signal.aborted) return;
      if (error instanceof DocfuseError) tell({ id, outcome: { problem: problemOf(error) } });
      else tell({ id, problem: modelProblem(error) });
    } finally {
      stops.delete(id);
    }
  }

  addEventListener('message', ({ data: message }: MessageEvent<ToWorker>) => {
    if ('start' in message) {
      site = open(message.start);
      site.then(
        () => tell({ isReady: true }),
        (error) => tell({ problem: modelProblem(error) }),
      );
    } else if ('stop' in message) stops.get(message.stop)?.abort();
    else void answer(message);
  });
}

function open(start: ExportStart): Promise<SiteData> {
  const { dimensions, folder, parts, ...model } = start.meaning!;
  let loaded = 0;
  /** Loads the pieces of a compressed file. Their names change with their content, so the browser may take them from its cache. */
  async function loadPieces(addresses: readonly string[]): Promise<Uint8Array<ArrayBuffer>> {
    const pieces = addresses.map(async (address) => {
      let response = await load(address, { cache: 'force-cache' }).catch(() => undefined);
      // The cache of the browser may hold an old answer that the file is missing, so bypass the cache.
      response ??= await load(address, { cache: 'reload' });
      const piece = await response.blob();
      loaded += piece.size;
      tell({ loaded });
      return piece;
    });
    const stream = new Blob(await Promise.all(pieces)).stream();
    const whole = stream.pipeThrough(new DecompressionStream('deflate-raw'));
    return new Uint8Array(await new Response(whole).arrayBuffer());
  }
  const loadData = (path: string) => loadPieces([`${base}${start.data}/${path}`]);
  const loadPart = (part: ModelPart) => {
    const numbers = Array.from({ length: parts[part] }, (_, number) => number);
    return loadPieces(numbers.map((number) => `${base}${folder}/${modelFile(part, number)}`));
  };
  return openSite(base, start, async (facts) => {
    const opening = openModel(model, loadPart);
    const neighbours = toJson<readonly DocumentNeighbours[]>(await loadData(NEIGHBOURS_FILE));
    const loadVectors = (number: number) => loadData(fragmentFile('vectors', number));
    const loading = loadMeaning(facts, dimensions, loadVectors, neighbours);
    return Promise.all([opening, loading]).then(([opened, meaning]) => ({ model: opened, meaning }));
  });
}

async function openModel(
  { model, padId, profile }: Pick<ExportMeaning, 'model' | 'padId' | 'profile'>,
  loadPart: (part: ModelPart) => Promise<Uint8Array<ArrayBuffer>>,
) {
  const [runtime, graph, tokenizer] = await Promise.all([
    loadPart('runtime'),
    loadPart('model'),
    loadPart('tokenizer'),
  ]);
  // More threads would need headers that few hosts send.
  env.wasm.numThreads = 1;
  env.wasm.wasmBinary = runtime.buffer;
  env.logLevel = 'error';
  const session = await InferenceSession.create(graph, { executionProviders: ['wasm'] });
  const [definition, settings] = toJson<ConstructorParameters<typeof Tokenizer>>(tokenizer);
  const tokens = new Tokenizer(definition, settings);
  const tokenize = (text: string) => cutTokens(tokens.encode(text).ids, profile.maxTokens);
  const { encode } = createEncoder({ Tensor }, session, tokenize, { modelFile: model, padId, profile });
  return { model, embedQuery: (text: string) => encode([profile.queryPrefix + text]) };
}

function toJson<T>(bytes: Uint8Array): T {
  return JSON.parse(new TextDecoder().decode(bytes));
}
