/**
 * Fingerprints of what a comparison of all files depends on and no event reports: a changed one means that
 * all must be compared again.
 */

/** The state of something as a text, which differs when that has changed; undefined where it cannot be read. */
export type Look = () => string | undefined;

export interface WitnessPass {
  /** To be called before what depends on it is read. */
  add(name: string, look: Look): void;
  end(): void;
}

export interface Witnesses {
  /** @param whole whether all files are compared, so that what was met before no longer counts */
  begin(whole: boolean): WitnessPass;
  /** Whether any fingerprint changed. Each is taken again at every call, a few µs each. */
  differ(): boolean;
}

interface Witness {
  readonly look: Look;
  readonly seen: string | undefined;
}

export function createWitnesses(): Witnesses {
  let held: ReadonlyMap<string, Witness> = new Map();
  return {
    begin(whole) {
      const met = new Map<string, Witness>();
      return {
        add(name, look) {
          met.set(name, { look, seen: look() });
        },
        end() {
          // What a part of the files met again may have changed for others.
          held = whole ? met : new Map([...met, ...held]);
        },
      };
    },
    differ: () => held.values().some(({ look, seen }) => look() !== seen),
  };
}
