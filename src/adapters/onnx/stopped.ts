/** The error of work that was ended before it was done. */
import { DocfuseError } from '../../core/errors.ts';

export function stopped(message: string, cause?: unknown): DocfuseError {
  return new DocfuseError('aborted', message, 'Try again; finished work is kept.', { cause });
}
