/** Keeps what was loaded of an export. */
import { remembered } from '../text/remembered.ts';

/** A failed load is tried again by the next call. */
export function loadOnce<T>(
  load: (number: number) => Promise<T>,
  known = new Map<number, Promise<T>>(),
): (number: number) => Promise<T> {
  return remembered((number: number) => {
    const loading = load(number);
    loading.catch(() => known.delete(number));
    return loading;
  }, known);
}
