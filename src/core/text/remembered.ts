/** The former name of `memoize`, which present.ts still uses. */
export { memoize as remembered } from './memoize.ts';
