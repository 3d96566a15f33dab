/** Room for words on the map: what is written first keeps its place, and nothing is written over it. */

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export function createRoom() {
  const taken: Box[] = [];
  return {
    /** Takes a box if it is free. @returns whether it was */
    take(box: Box): boolean {
      const isFree = !taken.some((other) => touch(box, other));
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
