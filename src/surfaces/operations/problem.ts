/** Turns errors into RFC 9457 problem documents, and back into errors. */
import { DocfuseError, type ErrorCode } from '../../core/errors.ts';

/** @template Code `ErrorCode`, or further codes for requests that reach no operation */
export interface Problem<Code extends string = ErrorCode> {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  /** What failed. */
  readonly detail: string;
  readonly code: Code;
  /** What to do. */
  readonly remedy: string;
}

export function toProblem(thrown: unknown): Problem {
  const error = toDocfuseError(thrown);
  return problemOf(error.code, CATALOGUE[error.code], error.message, error.remedy);
}

export function problemOf<Code extends string>(
  code: Code,
  [status, title]: readonly [status: number, title: string],
  detail: string,
  remedy: string,
): Problem<Code> {
  return { type: `urn:docfuse:error:${code}`, title, status, detail, code, remedy };
}

/** The error that a problem document describes; undefined for an unknown code. */
export function fromProblem(problem: unknown): DocfuseError | undefined {
  if (typeof problem !== 'object' || problem === null) return undefined;
  const { code, detail, remedy } = problem as Partial<Problem>;
  return code !== undefined && Object.hasOwn(CATALOGUE, code)
    ? new DocfuseError(code, String(detail), String(remedy))
    : undefined;
}

/** Returns a `DocfuseError` unchanged. An `AbortError` becomes `aborted`, a deleted working directory `not_found`, others `internal`. */
export function toDocfuseError(thrown: unknown): DocfuseError {
  if (thrown instanceof DocfuseError) return thrown;
  if (thrown instanceof Error && thrown.name === 'AbortError') {
    return new DocfuseError('aborted', 'Interrupted.', 'Run it again to continue.', { cause: thrown });
  }
  if (thrown instanceof Error && 'syscall' in thrown && thrown.syscall === 'uv_cwd') {
    const message = 'The working directory was deleted.';
    return new DocfuseError('not_found', message, 'Change to a folder that exists.', { cause: thrown });
  }
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return new DocfuseError(
    'internal',
    `Something unexpected failed: ${reason}`,
    'Run it again with --debug and report what it prints.',
    { cause: thrown },
  );
}

const CATALOGUE: Readonly<Record<ErrorCode, readonly [status: number, title: string]>> = {
  usage: [400, 'Wrong usage'],
  not_found: [404, 'Not found'],
  not_a_folder: [400, 'Not a folder'],
  config: [400, 'Wrong configuration'],
  index_newer: [409, 'Index made by a newer version'],
  index_damaged: [500, 'Index damaged'],
  index_busy: [503, 'Index busy'],
  index_missing: [404, 'No index'],
  model_missing: [500, 'Model missing'],
  model_invalid: [500, 'Model invalid'],
  runtime_missing: [500, 'Runtime missing'],
  package_missing: [500, 'Package missing'],
  judgements: [400, 'Wrong judgements'],
  remote: [502, 'Remote service failed'],
  storage: [500, 'Storage failed'],
  aborted: [499, 'Interrupted'],
  internal: [500, 'Internal failure'],
};
