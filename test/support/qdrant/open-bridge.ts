/** Starts the bridge: an HTTP server in Python that answers the calls of the adapter by Qdrant's own engine. */
import { execFileSync, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('bridge.py', import.meta.url));
const VENV = fileURLToPath(new URL('../../../node_modules/.cache/qdrant-python/bin/python', import.meta.url));
const PYTHON = process.env.QDRANT_PYTHON ?? VENV;

/** Looks the packages up: to import them takes more than a second. */
const LOOK_UP =
  'import importlib.util as u; assert u.find_spec("qdrant_edge") and u.find_spec("qdrant_client")';

/** Why the tests over the bridge are skipped; undefined if they run. */
export const bridgeMissing = findReason();

function findReason(): string | undefined {
  try {
    execFileSync(PYTHON, ['-c', LOOK_UP], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'no Python with qdrant-edge-py and qdrant-client: scripts/qdrant-python.sh makes one';
  }
}

interface BridgeOptions {
  /** The API key that the server demands. @default none */
  readonly key?: string;
  /** Whether to make payload indexes, which change no answer and take time. @default true */
  readonly indexes?: boolean;
}

export async function openBridge({ key, indexes = true }: BridgeOptions = {}) {
  const child = spawn(PYTHON, [SCRIPT], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...(key && { BRIDGE_KEY: key }), ...(!indexes && { BRIDGE_INDEXES: 'no' }) },
  });
  const [port] = await Array.fromAsync(firstLine(child.stdout));
  return {
    url: `http://127.0.0.1:${port}`,
    close(): void {
      child.stdin.end();
    },
    /** Ends the server at once, as a crash would. */
    kill: () => void child.kill('SIGKILL'),
  };
}

async function* firstLine(stream: NodeJS.ReadableStream): AsyncGenerator<string> {
  for await (const line of createInterface({ input: stream })) {
    yield line;
    return;
  }
}
