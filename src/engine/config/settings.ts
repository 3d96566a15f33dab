/** The settings of indexing, search, answers and the server, with the names of `docfuse.toml` and their defaults. */
import * as z from 'zod';
import {
  ADVANCED_ROWS,
  SEARCH_ROWS,
  type SettingRow,
  type SettingValues,
} from '../../core/model/search-settings.ts';
import { isQdrantServer, readPostgresUrl, refusedBy } from './published-address.ts';
import { hostName, serviceAddress, siteOrigin } from './web-names.ts';

const text = z.string().min(1);
const whole = (min: number, max: number) => z.int().min(min).max(max);

const apiKeyEnv = (usual = 'OPENAI_API_KEY') =>
  text
    .default(usual)
    .describe('Environment variable that holds the API key; most services on this machine need none.');

/** Default embedding model; the package contains its files. */
export const PACKAGED_MODEL = 'bge-small-en-v1.5';
/** Stands for the packaged model in `embedding.model`. */
export const AUTO_MODEL = 'auto';
const embedding = z.strictObject({
  provider: z
    .enum(['local', 'openai'])
    .default('local')
    .describe('`local` embeds on this machine, `openai` uses a service with OpenAI’s `/v1/embeddings`.'),
  model: z
    .string()
    .default(AUTO_MODEL)
    .describe(
      'Name of the packaged model, `org/name` of a pulled model, or the path of a folder with an ONNX model; under `openai`, the name of the model at the service. `auto` is the packaged model, and `docfuse index` says once when another would serve better.',
    ),
  multilingual_model: text
    .optional()
    .describe(
      'A second model beside `model`, for documents and questions that are not in English: `org/name` of a pulled model, or the path of a folder. It embeds every passage; `model` embeds only passages of English documents.',
    ),
  base_url: serviceAddress
    .optional()
    .describe('Address of the service under `openai`, such as `http://127.0.0.1:11434/v1`.'),
  api_key_env: apiKeyEnv(),
  dimensions: whole(1, 65_536)
    .optional()
    .describe(
      'Length of the vectors of `model`. `local` cuts vectors to this length, which suits Matryoshka models; `openai` asks the service for this length. Default: the model’s own length, which `openai` finds with one extra request.',
    ),
  query_prefix: text
    .optional()
    .describe(
      'Text that a service gets before each query, such as `search_query: `; see the page of the model.',
    ),
  passage_prefix: text
    .optional()
    .describe(
      'Text that a service gets before each passage. After a change, all passages are embedded again.',
    ),
  query_input_type: text
    .optional()
    .describe('Sent to a service as `input_type` of a query, such as `query` for Voyage.'),
  passage_input_type: text
    .optional()
    .describe(
      'Sent to a service as `input_type` of passages, such as `document` for Voyage. After a change, all passages are embedded again.',
    ),
  threads: whole(0, 64)
    .default(0)
    .describe('Threads that embed passages under `local`; 0 chooses from cores and memory.'),
});

const characters = (usual: number, least: number, meaning: string) =>
  z.int().min(least).default(usual).describe(meaning);

const chunking = z
  .strictObject({
    strategy: z
      .enum(['headers', 'fixed'])
      .default('headers')
      .describe('Split at headings, or after a fixed number of characters.'),
    min_chars: characters(200, 0, 'A section with fewer characters is joined with its neighbour.'),
    max_chars: characters(1500, 50, 'A section with more characters is split.'),
    overlap_chars: characters(100, 0, 'Characters repeated between the pieces of a split section.'),
    parent_retrieval_enabled: z
      .boolean()
      .default(true)
      .describe('Store the larger section (parent) around each chunk, so that search can show it.'),
    parent_min_chars: characters(1500, 0, 'Min characters of a parent, if the document has enough text.'),
    parent_max_chars: characters(2000, 50, 'Max characters of a parent.'),
    chunk_size: characters(1000, 50, 'Characters of a chunk under `fixed`.'),
    chunk_overlap: characters(200, 0, 'Characters repeated between chunks under `fixed`.'),
  })
  .refine((value) => value.min_chars <= value.max_chars, 'min_chars must not exceed max_chars')
  .refine(
    (value) => value.overlap_chars <= value.max_chars / 2,
    'overlap_chars must not exceed half of max_chars',
  )
  .refine(
    (value) => value.chunk_overlap <= value.chunk_size / 2,
    'chunk_overlap must not exceed half of chunk_size',
  )
  .refine(
    (value) => value.parent_min_chars <= value.parent_max_chars,
    'parent_min_chars must not exceed parent_max_chars',
  );

const search = z.strictObject({
  ...sectionOf(SEARCH_ROWS),
  rerank_model: text
    .default('cross-encoder/ms-marco-MiniLM-L-6-v2')
    .describe(
      'Cross-encoder for reranking: `org/name` of a pulled model, or the path of a folder with a model. The default model must be pulled first. With `rerank_base_url`, the name of the model at the service.',
    ),
  rerank_base_url: serviceAddress
    .optional()
    .describe(
      'Address of a service with Cohere’s `/rerank`, such as `https://api.jina.ai/v1`: it reranks in place of a model on this machine.',
    ),
  rerank_api_key_env: apiKeyEnv('RERANK_API_KEY'),
  advanced: z.strictObject(sectionOf(ADVANCED_ROWS)).prefault({}),
});

const answer = z.strictObject({
  base_url: serviceAddress
    .optional()
    .describe(
      'Address of a service with OpenAI’s `/v1/chat/completions`, such as `http://127.0.0.1:11434/v1`.',
    ),
  model: text.optional().describe('Name of the model at the service.'),
  api_key_env: apiKeyEnv(),
});

const publicationName = (address: string) =>
  z
    .string()
    .regex(/^[\w-]{1,100}$/, 'must be letters, digits, _ and -')
    .default('docfuse')
    .describe(`Name of the published index: other machines search \`${address}\`.`);

const qdrant = z.strictObject({
  url: text
    .refine(
      isQdrantServer,
      'it holds a key, or is not an http or https address; a key belongs in the environment variable that qdrant.api_key_env names',
    )
    .optional()
    .describe(
      'Address of a Qdrant server, such as `http://127.0.0.1:6333`. `docfuse index` publishes the index there, with the texts of all passages.',
    ),
  name: publicationName('qdrant://HOST:PORT/NAME'),
  api_key_env: text
    .default('QDRANT_API_KEY')
    .describe('Environment variable that holds the API key of the server.'),
  shards: whole(1, 1_000).optional().describe('Shards of a new collection. Default: that of the server.'),
  replicas: whole(1, 100)
    .optional()
    .describe('Copies of each shard of a new collection. Default: that of the server.'),
  write_consistency: whole(1, 100)
    .optional()
    .describe('Copies that must confirm a write to a new collection. Default: that of the server.'),
});

const postgres = z.strictObject({
  url: text
    .superRefine(refusedBy(readPostgresUrl))
    .optional()
    .describe(
      'Address of a PostgreSQL database with pgvector, such as `postgres://USER@127.0.0.1:5432/DATABASE`. `docfuse index` publishes the index there, with the texts of all passages.',
    ),
  name: publicationName('postgres://HOST/DATABASE?name=NAME'),
  password_env: text
    .default('PGPASSWORD')
    .describe('Environment variable that holds the password. If it is not set, `~/.pgpass` is read.'),
  connections: whole(1, 100).default(4).describe('Max connections to the database at once.'),
  readers: z
    .array(text)
    .default([])
    .describe(
      'Roles that may search the published index, besides its owner. Default: those to which the database grants it.',
    ),
  workers: z
    .boolean()
    .default(false)
    .describe(
      'Let `docfuse worker` on other machines embed passages, too: the texts of passages without a vector are put into a table of the database.',
    ),
});

const server = z.strictObject({
  host: text
    .default('127.0.0.1')
    .describe('Address to listen on. If it is not a loopback address, clients need a token.'),
  port: whole(0, 65_535).default(7331).describe('Port to listen on; 0 chooses a free port.'),
  allowed_hosts: z
    .array(hostName)
    .default([])
    .describe('Host names by which clients may reach this machine, besides loopback names and `host`.'),
  allowed_origins: z
    .array(siteOrigin)
    .default([])
    .describe('Origins of web sites whose pages may send requests, such as `https://notes.example`.'),
  token_env: text
    .default('DOCFUSE_TOKEN')
    .describe('Environment variable that holds the token that clients must send.'),
  judge: z
    .boolean()
    .default(false)
    .describe('Let the page save grades of hits, for `docfuse eval` and `docfuse tune`.'),
});

/** Every setting with its range, default and meaning; unknown keys are refused. */
export const settingsSchema = z.strictObject({
  embedding: embedding.prefault({}),
  chunking: chunking.prefault({}),
  search: search.prefault({}),
  answer: answer.prefault({}),
  qdrant: qdrant.prefault({}),
  postgres: postgres.prefault({}),
  server: server.prefault({}),
});

export type Settings = z.output<typeof settingsSchema>;

export type SettingsOverride = DeepPartial<Settings>;

type DeepPartial<T> = {
  readonly [K in keyof T]?: T[K] extends readonly unknown[]
    ? T[K]
    : T[K] extends object
      ? DeepPartial<T[K]>
      : T[K];
};

function sectionOf<Rows extends Readonly<Record<string, SettingRow<unknown>>>>(rows: Rows) {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, schemaOf(row)])) as unknown as {
    [Name in keyof Rows]: z.ZodDefault<z.ZodType<SettingValues<Rows>[Name], SettingValues<Rows>[Name]>>;
  };
}

function schemaOf({ default: initial, meaning, ...row }: SettingRow<unknown>): z.ZodType {
  const schema = row.word === undefined ? valueSchema(row) : z.union([valueSchema(row), z.literal(row.word)]);
  return (initial === undefined ? schema.optional() : schema.default(initial as never)).describe(meaning);
}

function valueSchema({ kind, words, min, max }: Omit<SettingRow<unknown>, 'default' | 'meaning'>): z.ZodType {
  if (kind === 'flag') return z.boolean();
  if (kind === 'choice') return z.enum(words as string[]);
  let schema = kind === 'integer' ? z.int() : z.number();
  if (min !== undefined) schema = schema.min(min);
  if (max !== undefined) schema = schema.max(max);
  return schema;
}
