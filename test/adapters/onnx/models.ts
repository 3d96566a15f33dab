/** Where the models of the tests are. */
import { fileURLToPath } from 'node:url';

/** The model in this repository. */
export const DEFAULT_MODEL = fileURLToPath(new URL('../../../models/bge-small-en-v1.5', import.meta.url));

/** A folder with further models, which are too large for the repository: multilingual-e5-small, all-MiniLM-L6-v2. */
export const MORE_MODELS = process.env.DOCFUSE_TEST_MODELS;
