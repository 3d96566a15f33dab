/** Reads the body of an answer piece by piece, giving up on a service that falls silent. */
import { DocfuseError } from '../../core/errors.ts';

export interface BodyLimits {
  /** Who answers, for errors: `The model hub`. */
  readonly service: string;
  /** Milliseconds between two pieces. @default 60,000 */
  readonly silence?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Answers that are parsed as a whole are not larger than this, in bytes. */
const MAX_JSON = 64_000_000;

/**
 * @throws DocfuseError `remote` when the body breaks off or nothing comes for too long, `aborted` after the signal
 */
export async function* piecesOf(
  answer: Response,
  { service, silence = 60_000, signal }: BodyLimits,
): AsyncGenerator<Uint8Array> {
  const reader = answer.body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      let timer: NodeJS.Timeout | undefined;
      const silent = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`nothing came for ${silence / 1000} seconds`)), silence);
      });
      const { done, value } = await Promise.race([reader.read(), silent]).finally(() => clearTimeout(timer));
      if (done) return;
      yield value;
    }
  } catch (cause) {
    if (signal?.aborted) {
      throw new DocfuseError('aborted', `${service} was interrupted.`, 'Try again to go on.', {
        cause,
      });
    }
    const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : (cause as Error);
    throw new DocfuseError(
      'remote',
      `The answer of ${lowerFirst(service)} broke off: ${inner.message}.`,
      'Try again; if it keeps happening, check the connection.',
      { cause },
    );
  } finally {
    // A consumer that stops early leaves the rest unread.
    await reader.cancel().catch(() => {});
  }
}

/** The whole body as text. @throws DocfuseError as `piecesOf`, and `remote` when it is larger than 64 MB */
export async function readText(answer: Response, limits: BodyLimits): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of piecesOf(answer, limits)) {
    text += decoder.decode(piece, { stream: true });
    if (text.length > MAX_JSON) throw nonsense(limits.service, 'it is larger than 64 MB');
  }
  return text + decoder.decode();
}

/** The whole body as JSON. @throws DocfuseError as `readText`, and `remote` when it is no JSON */
export async function readJson(answer: Response, limits: BodyLimits): Promise<unknown> {
  const text = await readText(answer, limits);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw nonsense(limits.service, 'it is not JSON', cause);
  }
}

/** An answer that does not follow the protocol. */
export function nonsense(service: string, reason: string, cause?: unknown): DocfuseError {
  return new DocfuseError(
    'remote',
    `The answer of ${lowerFirst(service)} makes no sense: ${reason}.`,
    'Check that the address is that of the right service.',
    { cause },
  );
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
