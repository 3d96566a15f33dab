/**
 * The only error class: every failure a user can meet has a code, a sentence about what failed, and a sentence about what to do.
 */

/** All codes. Surfaces map codes to exit codes and HTTP statuses, so a new kind of failure needs a new line here. */
export type ErrorCode =
  | 'usage'
  | 'not_found'
  | 'not_a_folder'
  | 'config'
  | 'index_newer'
  | 'index_damaged'
  | 'index_busy'
  | 'index_missing'
  | 'model_missing'
  | 'model_invalid'
  | 'runtime_missing'
  | 'package_missing'
  | 'judgements'
  | 'remote'
  | 'storage'
  | 'aborted'
  | 'internal';

export class DocfuseError extends Error {
  override readonly name = 'DocfuseError';
  readonly code: ErrorCode;
  /** One sentence about what the reader can do. */
  readonly remedy: string;

  constructor(code: ErrorCode, message: string, remedy: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.remedy = remedy;
  }
}

/** Returns a handler for an optional package that cannot be loaded. @param needs such as `An index in Qdrant needs` */
export function notInstalled(needs: string, name: string): (cause: unknown) => never {
  const message = `${needs} the package ${name}, which is not installed.`;
  const remedy = `Install it beside docfuse: npm install ${name}.`;
  return (cause) => {
    throw new DocfuseError('package_missing', message, remedy, { cause });
  };
}
