/** Opens the models kept on this machine, and the hub they come from. */
import { createModelStore, type ModelStore } from '../adapters/hub/model-store.ts';
import { modelsFolder } from './places.ts';

const PUBLIC_HUB = 'https://huggingface.co';

/** `DOCFUSE_HUB` names a mirror, `HF_TOKEN` unlocks private models, `DOCFUSE_OFFLINE` forbids asking anyone. */
export function openModels(env: Readonly<Record<string, string | undefined>> = process.env): ModelStore {
  return createModelStore({
    folder: modelsFolder(env),
    hub: { url: env.DOCFUSE_HUB || PUBLIC_HUB, token: env.HF_TOKEN || undefined },
    offline: !['', '0', 'false', 'no'].includes((env.DOCFUSE_OFFLINE ?? '').toLowerCase()),
  });
}
