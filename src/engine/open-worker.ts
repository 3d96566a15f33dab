/** Opens an embedding worker: finds the database, and opens the models of the settings. */
import { type EmbeddingJobs, openJobs } from '../adapters/postgres/embedding-jobs.ts';
import { runWorker, type WorkerOptions } from '../adapters/postgres/run-worker.ts';
import { DocfuseError } from '../core/errors.ts';
import type { Embedder } from '../core/ports.ts';
import type { OpenOptions } from './api.ts';
import { locateIndex } from './config/locate-index.ts';
import { readPublishedAddress, withPassword } from './config/published-address.ts';
import { embeddingModels } from './open-models.ts';

/**
 * The database is that of an index in PostgreSQL, else that of `postgres.url`.
 * @throws DocfuseError `usage` without one; `package_missing`; what an embedder throws when it is opened
 */
export async function openWorker(options: OpenOptions) {
  const { config, published = readPublishedAddress(config.settings.postgres.url ?? '') } =
    locateIndex(options);
  const { settings, leftOut } = config;
  const { embedding, postgres } = settings;
  if (!published && leftOut?.keys.includes('postgres.url'))
    throw new DocfuseError('config', leftOut.message, leftOut.remedy);
  if (published?.engine !== 'postgres')
    throw new DocfuseError(
      'usage',
      `docfuse worker embeds passages that wait in PostgreSQL, ${published ? `and ${published.shown} is not there` : 'but no database is named'}.`,
      'Name the database to which the index is published: docfuse worker --index postgres://USER@HOST/DATABASE, or set postgres.url.',
    );
  const { model, multilingual } = embeddingModels(embedding, { cwd: options.cwd ?? process.cwd() });
  const open: (Embedder | EmbeddingJobs)[] = [];
  const close = async () => void (await Promise.all(open.map((each) => each.close())));
  try {
    const jobs = await openJobs(withPassword(published, postgres));
    open.push(jobs);
    const embedders: Embedder[] = [];
    for (const each of [model, ...(multilingual ? [multilingual] : [])]) {
      const embedder = await each.open();
      embedders.push(embedder);
      open.push(embedder);
    }
    return {
      /** The database, without user and password. */
      database: published.shown.replace(/\?.*/, ''),
      models: embedders.map((each) => each.model),
      /** Settings of an untrusted file that are not used, with what to do. */
      leftOut,
      /** @returns number of embedded passages @throws as `runWorker` */
      run: (how: WorkerOptions) => runWorker(jobs, embedders, how),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
