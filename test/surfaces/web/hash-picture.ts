/** The hash of what a part of a page shows. */
import { createHash } from 'node:crypto';
import type { Locator } from 'playwright-core';

/** Leaves out 4 pixels at each side: those of rounded corners change with the layers of the browser. */
export async function hashPicture(part: Locator): Promise<string> {
  const { x, y, width, height } = (await part.boundingBox())!;
  const clip = { x: x + 4, y: y + 4, width: width - 8, height: height - 8 };
  return createHash('sha256')
    .update(await part.page().screenshot({ clip }))
    .digest('hex');
}
