/** Makes a constant at its first use: for constants that take milliseconds to make, and that many processes never use. */
export function lazyConstant<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
