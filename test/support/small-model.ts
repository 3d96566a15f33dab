/** A model for tests in which a model must run, but nothing depends on what it finds: it loads in a tenth of the time. */
import { fileURLToPath } from 'node:url';

/** The folder of the model. Texts that share words are near each other. */
export const SMALL_MODEL = fileURLToPath(new URL('../fixtures/overlap-embedder', import.meta.url));

/** The same as a setting of `open`, and as the environment of a command. */
export const SMALL_SETTINGS = { embedding: { model: SMALL_MODEL } };
export const SMALL_ENV = { DOCFUSE_EMBEDDING_MODEL: SMALL_MODEL };
