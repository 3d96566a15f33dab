/** Counts the pixels of an element by colour: what is drawn on a canvas cannot be asked for otherwise. */
import type { Locator } from 'playwright-core';

/** Number of pixels with each of these colours, such as `rgb(1, 2, 3)`, in the picture of an element. */
export async function countPixels(part: Locator, colours: readonly string[]): Promise<readonly number[]> {
  const picture = (await part.screenshot()).toString('base64');
  const script = `(async () => {
    const picture = new Image();
    picture.src = 'data:image/png;base64,${picture}';
    await picture.decode();
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const context = canvas.getContext('2d');
    context.drawImage(picture, 0, 0);
    const { data } = context.getImageData(0, 0, picture.width, picture.height);
    const counts = new Map();
    for (let at = 0; at < data.length; at += 4) {
      const colour = 'rgb(' + data[at] + ', ' + data[at + 1] + ', ' + data[at + 2] + ')';
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    return ${JSON.stringify(colours)}.map((colour) => counts.get(colour) ?? 0);
  })()`;
  return part.page().evaluate(script) as Promise<readonly number[]>;
}
