/** Says why search by meaning failed, and what helps. */

/** Part of the error message if a file could not be loaded. `modelProblem` shows such a message to the reader. */
export const NOT_LOADED = 'could not be loaded';

export function modelProblem(error: unknown): string {
  const text = String(error);
  if (text.includes(NOT_LOADED)) return `${(error as Error).message} Check the connection and try again.`;
  if (/memory|bad_alloc|RangeError/i.test(text))
    return 'The browser has too little memory for the model. Close other pages and try again.';
  if (/Content Security Policy|CompileError|WebAssembly/i.test(text))
    return "WebAssembly is not allowed here. The policy of the server must have 'wasm-unsafe-eval' for the script of the model.";
  return `The model failed: ${text}`;
}
