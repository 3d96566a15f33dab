/** Globs as small automata: time grows with the lengths of glob and text, never with their powers. */

/** Longest glob, in UTF-16 units: a glob costs time for every path it is compared with. */
export const MAX_GLOB_LENGTH = 500;

/**
 * The test for a whole path with `/`. `*` and `?` stop at a slash, `**` as a whole segment does not and may be empty;
 * `[a-z]`, `[!a]`, `{one,two}` nest as usual, `\*` is a star, a leading `!` turns the answer round. What is not
 * closed stands for itself.
 *
 * Thompson, “Regular expression search algorithm”, CACM 11 (1968): all states at once, one character after another. What
 * follows from being in some states is worked out once.
 */
export function globMatcher(glob: string): (path: string) => boolean {
  const isNegated = glob.startsWith('!');
  const matched: State = { next: [] };
  const step = stepper();
  const start = step.from([compile(isNegated ? glob.slice(1) : glob)(matched)]);
  return (path) => {
    let at = start;
    for (const char of path) {
      at = step.over(at, char);
      if (at.states.size === 0) break;
    }
    return at.states.has(matched) !== isNegated;
  };
}

/** A set of states that are reached together. */
interface Place {
  readonly states: ReadonlySet<State>;
}

/** Most steps that are remembered: a glob can have exponentially many. */
const MAX_STEPS = 2_000;

/** Takes steps, and remembers them: most paths begin and end alike. */
function stepper() {
  const ids = new Map<State, number>();
  const places = new Map<string, Place>();
  const known = new Map<Place, Map<string, Place>>();
  let steps = 0;

  function from(states: readonly State[]): Place {
    const reached = reach(states);
    const key = Array.from(reached, idOf).sort().join();
    const place = places.get(key) ?? { states: reached };
    places.set(key, place);
    return place;
  }

  function idOf(state: State): number {
    const id = ids.get(state) ?? ids.size;
    ids.set(state, id);
    return id;
  }

  return {
    from,
    over(place: Place, char: string): Place {
      const remembered = known.get(place)?.get(char);
      if (remembered) return remembered;
      if (steps++ >= MAX_STEPS) {
        known.clear();
        places.clear();
        steps = 0;
      }
      const found = from([...place.states].flatMap(({ accepts, next }) => (accepts?.(char) ? next : [])));
      known.set(place, (known.get(place) ?? new Map()).set(char, found));
      return found;
    },
  };
}

/** Goes on to `next`: for a character it accepts, or at once when it accepts none. */
interface State {
  readonly accepts?: (char: string) => boolean;
  readonly next: State[];
}

/** A piece of a glob, given what follows it. */
type Piece = (next: State) => State;

function reach(from: readonly State[]): ReadonlySet<State> {
  const reached = new Set(from);
  // A set is walked in order of insertion, with what is added on the way.
  for (const { accepts, next } of reached) if (!accepts) for (const state of next) reached.add(state);
  return reached;
}

/** In this order: an escape, a class, `**` as a whole segment at the end and before others, and one character. */
const TOKEN = /\\.|\[[!^]?\]?[^\]]*\]|\/\*\*(?=$|[,}])|(?<=^|[/{,])\*\*(?:\/|(?=$|[,}]))|./gsu;

function compile(glob: string): Piece {
  const tokens = glob.replaceAll(/(?<=^|\/)(?:\*\*\/)+(?=\*\*(?:\/|$))/g, '').match(TOKEN) ?? [];
  const open: Piece[][][] = [];
  let alternatives: Piece[][] = [[]];
  for (const token of tokens) {
    if (token === '{') {
      open.push(alternatives);
      alternatives = [[]];
    } else if (token === ',' && open.length > 0) {
      alternatives.push([]);
    } else if (token === '}' && open.length > 0) {
      const piece =
        alternatives.length > 1 ? either(alternatives.map(inOrder)) : inOrder(asWritten(alternatives, '}'));
      alternatives = open.pop()!;
      alternatives.at(-1)!.push(piece);
    } else {
      alternatives.at(-1)!.push(PIECES[token]?.() ?? pieceOf(token));
    }
  }
  while (open.length > 0) {
    const unclosed = asWritten(alternatives, '');
    alternatives = open.pop()!;
    alternatives.at(-1)!.push(...unclosed);
  }
  return inOrder(alternatives[0]!);
}

const notSlash = (char: string) => char !== '/';
const any = () => true;

const PIECES: Readonly<Record<string, () => Piece>> = {
  '?': () => one(notSlash),
  '**': () => many(any),
  '**/': () => either([inOrder([many(any), literal('/')]), inOrder([])]),
  '/**': () => either([inOrder([literal('/'), many(any)]), inOrder([])]),
};

function pieceOf(token: string): Piece {
  if (token === '*') return many(notSlash);
  if (token.startsWith('\\') && token.length > 1) return literal(token.slice(1));
  if (token.startsWith('[') && token.length > 1) return classOf(token);
  return literal(token);
}

/** An empty class, such as `[z-a]`, stands for itself. */
function classOf(token: string): Piece {
  const [, sign, members] = /^\[([!^]?)(.*)\]$/su.exec(token)!;
  try {
    const set = new RegExp(`^[${sign === '' ? '' : '^'}${members!.replaceAll(/[\\\][^]/g, '\\$&')}]$`, 'u');
    return one((char) => char !== '/' && set.test(char));
  } catch {
    return inOrder(Array.from(token, literal));
  }
}

/** Braces without alternatives stand for themselves, as do the commas inside them. */
function asWritten(alternatives: readonly (readonly Piece[])[], close: string): Piece[] {
  const inner = alternatives.flatMap((pieces, index) => (index === 0 ? pieces : [literal(','), ...pieces]));
  return [literal('{'), ...inner, ...Array.from(close, literal)];
}

function inOrder(pieces: readonly Piece[]): Piece {
  return (next) => pieces.reduceRight((following, piece) => piece(following), next);
}

function either(pieces: readonly Piece[]): Piece {
  return (next) => ({ next: pieces.map((piece) => piece(next)) });
}

function one(accepts: (char: string) => boolean): Piece {
  return (next) => ({ accepts, next: [next] });
}

function many(accepts: (char: string) => boolean): Piece {
  return (next) => {
    const loop: State = { next: [next] };
    loop.next.push({ accepts, next: [loop] });
    return loop;
  };
}

function literal(text: string): Piece {
  return one((char) => char === text);
}
