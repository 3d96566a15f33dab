/** Room for texts on the map: an earlier text keeps its place, and a later one may only take a box that is still free. */

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export type Room = ReturnType<typeof createRoom>;

/** @param dots boxes of documents */
export function createRoom(dots: readonly Box[]) {
  const taken: Box[] = [];
  return {
    /** Takes a box if it is free. @param overDots whether it may cover documents. @returns whether it was free */
    take(box: Box, overDots = false): boolean {
      const touches = (other: Box) => touch(box, other);
      const isFree = !taken.some(touches) && (overDots || !dots.some(touches));
      if (isFree) taken.push(box);
      return isFree;
    },
  };
}

function touch(a: Box, b: Box): boolean {
  return (
    a.left < b.left + b.width &&
    b.left < a.left + a.width &&
    a.top < b.top + b.height &&
    b.top < a.top + a.height
  );
}
