/** Finds the running server of an index, if it is one that would answer as this process would. */
import { digestConfig, type IndexLocation } from '../../engine/config/locate-index.ts';
import { VERSION } from '../../engine/version.ts';
import { requestJson } from './request-json.ts';
import { readServerNote, type ServerNote } from './server-note.ts';

/** A server is given this long to say that it is there. */
const PATIENCE_MS = 2_000;

/**
 * The note of a server of this index whose process is alive: of this version, with the same collections and settings. Whether
 * it is that server who answers at the address is told by its answer.
 * @param cwd from which paths of models are seen. @default the working directory
 */
export function findServer({ config, indexPath }: IndexLocation, cwd?: string): ServerNote | undefined {
  const note = readServerNote(indexPath);
  return note?.version === VERSION && note.config === digestConfig(config, cwd) ? note : undefined;
}

/** Whether the server that left this note, and no other, answers at its address. */
export async function answers(note: ServerNote): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const { status, run } = await requestJson(note, { method: 'GET', path: '/healthz', signal });
    return status === 200 && run === note.run;
  } catch {
    return false;
  }
}
