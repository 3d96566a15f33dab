/** What is asked with: the text of a query, a question or a hypothesis. */
import * as z from 'zod';

/**
 * The longest text, in UTF-16 units. The model reads the first few hundred words; and ONNX Runtime 1.30 crashes in a process
 * whose arguments are longer than about twice this, so the command line refuses more before it loads anything.
 */
export const MAX_ASKED = 16_000;

export const askedText = z.string().max(MAX_ASKED);
