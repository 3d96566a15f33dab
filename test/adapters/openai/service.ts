/** A service on this machine with OpenAI's protocol and Cohere's reranking: real models, scripted answers, and faults when told to. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Embedder, Reranker } from '../../../src/core/ports.ts';

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Never answer. */
  readonly silent?: boolean;
}

export interface Service extends AsyncDisposable {
  /** Ends in `/v1`. */
  readonly url: string;
  readonly requests: { readonly path: string; readonly key: string | undefined; readonly body: Body }[];
  /** Answers given before the usual one, first to last. */
  readonly replies: Reply[];
  /** What chat streams: pieces of the answer; `cut` breaks the connection off. */
  chat: readonly string[] | 'cut';
}

interface Body {
  readonly model: string;
  readonly input?: readonly string[];
  readonly dimensions?: number;
  readonly input_type?: string;
  readonly query?: string;
  readonly documents?: readonly string[];
  readonly messages?: readonly { readonly role: string; readonly content: string }[];
  readonly stream?: boolean;
}

export interface ServiceOptions {
  /** Makes the vectors. */
  readonly embedder?: Embedder;
  /** Scores passages. */
  readonly reranker?: Reranker;
  /** The only key that is let in. */
  readonly key?: string;
  /** Max UTF-16 units of a request's texts; longer ones are refused. */
  readonly longest?: number;
}

export async function startService({
  embedder,
  reranker,
  key,
  longest = Infinity,
}: ServiceOptions = {}): Promise<Service> {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const service = {
    url: '',
    requests: [] as Service['requests'][number][],
    replies: [] as Reply[],
    chat: [] as Service['chat'],
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const piece of request.setEncoding('utf8')) text += piece;
    const body = JSON.parse(text) as Body;
    const { authorization } = request.headers;
    service.requests.push({ path: request.url!, key: authorization, body });
    const reply = service.replies.shift();
    if (reply?.silent) return;
    if (reply) {
      response.writeHead(reply.status ?? 200, reply.headers).end(reply.body ?? '');
      return;
    }
    if (!/^\/v1\/(embeddings|rerank|chat\/completions)$/.test(request.url!)) {
      response.writeHead(404).end('404 page not found');
    } else if (key !== undefined && authorization !== `Bearer ${key}`) {
      response.writeHead(401).end('{"error":{"message":"Incorrect API key provided."}}');
    } else if (body.input && body.input.join('').length > longest) {
      response.writeHead(400).end('{"error":{"message":"The input is too long."}}');
    } else if (request.url === '/v1/rerank') {
      const scores = await reranker!.score(body.query!, body.documents!);
      const results = scores.map((relevance_score, index) => ({ index, relevance_score }));
      response.end(
        JSON.stringify({ results: results.sort((a, b) => b.relevance_score - a.relevance_score) }),
      );
    } else if (request.url === '/v1/embeddings') {
      const gone = new AbortController();
      response.on('close', () => gone.abort());
      const vectors = await embedder!.embedPassages(body.input!, gone.signal);
      // Longer than 1, and not in order, as services may answer.
      const data = vectors.map((vector, index) => ({ index, embedding: Array.from(vector, (x) => 3 * x) }));
      response.end(JSON.stringify({ object: 'list', data: data.toReversed() }));
    } else stream(response);
  }

  function stream(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const pieces = service.chat === 'cut' ? ['To rotate '] : service.chat;
    for (const content of pieces)
      response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
    if (service.chat === 'cut') setTimeout(() => response.destroy(), 20);
    else response.end('data: [DONE]\n\n');
  }

  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return Object.assign(service, {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  });
}
