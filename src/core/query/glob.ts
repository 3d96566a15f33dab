/** Matches globs with automata. They do not backtrack, so no glob takes exponential time. */

/** Max UTF-16 units of a glob: the time to match a path grows with the length of the glob. */
export const MAX_GLOB_LENGTH = 500;

/**
 * Compiles a glob to a test of a whole path; `/` separates its segments. `*` and `?` do not match a slash. `**` as a whole segment
 * matches any number of segments, including none. `[a-z]` and `[!a]` are classes, `{one,two}` are alternatives and can be nested,
 * `\*` is a literal star, and a leading `!` negates the glob. An unclosed bracket or brace is literal text.
 *
 * Runs all states in parallel (Thompson, “Regular expression search algorithm”, CACM 11, 1968), and caches the transitions between
 * sets of states.
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
      if (at.size === 0) break;
    }
    return at.has(matched) !== isNegated;
  };
}

/** A set of states that the automaton is in at the same time. Equal sets are one object while they are cached. */
type Place = ReadonlySet<State>;

/** Max number of cached transitions: a glob can have exponentially many. */
const MAX_STEPS = 2_000;

/** Computes transitions and caches them: most paths have the same beginnings and ends. */
function stepper() {
  const ids = new Map<State, number>();
  const places = new Map<string, Place>();
  const known = new Map<Place, Map<string, Place>>();
  let steps = 0;

  function from(states: readonly State[]): Place {
    const reached = reach(states);
    const key = Array.from(reached, idOf).sort().join();
    const place = places.get(key) ?? reached;
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
      const found = from([...place].flatMap(({ accepts, next }) => (accepts?.(char) ? next : [])));
      known.set(place, (known.get(place) ?? new Map()).set(char, found));
      return found;
    },
  };
}

/**
 * A state with `accepts` passes to `next` on a character it accepts; a state without `accepts` passes to `next` without a
 * character.
 */
interface State {
  readonly accepts?: (char: string) => boolean;
  readonly next: State[];
}

/** A part of a glob, as a function. Takes the state that follows the part, and returns the first state of the part. */
type Piece = (next: State) => State;

function reach(from: readonly State[]): ReadonlySet<State> {
  const reached = new Set(from);
  // The loop also visits states that are added during the loop.
  for (const { accepts, next } of reached) if (!accepts) for (const state of next) reached.add(state);
  return reached;
}

/**
 * Tokens of a glob, in order of precedence: an escape, a class, `**` as the last segment, `**` as another segment, one
 * character.
 */
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
  '*': () => many(notSlash),
  '**': () => many(any),
  '**/': () => either([inOrder([many(any), literal('/')]), inOrder([])]),
  '/**': () => either([inOrder([literal('/'), many(any)]), inOrder([])]),
};

function pieceOf(token: string): Piece {
  if (token.startsWith('\\') && token.length > 1) return literal(token.slice(1));
  if (token.startsWith('[') && token.length > 1) return classOf(token);
  return literal(token);
}

/** Compiles a class. An invalid class, such as `[z-a]`, is literal text. */
function classOf(token: string): Piece {
  const [, sign, members] = /^\[([!^]?)(.*)\]$/su.exec(token)!;
  try {
    const set = new RegExp(`^[${sign === '' ? '' : '^'}${members!.replaceAll(/[\\\][^]/g, '\\$&')}]$`, 'u');
    return one((char) => char !== '/' && set.test(char));
  } catch {
    return inOrder(Array.from(token, literal));
  }
}

/** Compiles braces that are literal text: braces without a comma, and unclosed braces, for which `close` is empty. */
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
