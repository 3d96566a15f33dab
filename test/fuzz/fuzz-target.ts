/** What a fuzz target is: inputs without end, and what must hold for each of them. */
import fc from 'fast-check';

export interface FuzzRun {
  /** How many inputs are tried. */
  readonly inputs: number;
  /** Equal seeds try equal inputs. @default another one every time */
  readonly seed?: number | undefined;
}

export interface FuzzTarget {
  readonly name: string;
  /** @throws with the smallest input found that breaks a rule, and the seed that leads to it */
  run(options: FuzzRun): Promise<void>;
}

/**
 * @param check sentences on what is wrong; an exception is wrong, too
 * @param shrink looks for the smallest input that is wrong, too; of no use where each try takes long. @default true
 */
export function fuzzTarget<T>(
  name: string,
  inputs: fc.Arbitrary<T>,
  check: (input: T) => readonly string[] | Promise<readonly string[]>,
  { shrink = true }: { readonly shrink?: boolean } = {},
): FuzzTarget {
  return {
    name,
    async run({ inputs: numRuns, seed }) {
      const property = fc.asyncProperty(inputs, async (input) => {
        const wrong = await check(input);
        if (wrong.length > 0) throw new Error(wrong.join('\n'));
      });
      await fc.assert(property, {
        numRuns,
        includeErrorInReport: true,
        endOnFailure: !shrink,
        ...(seed === undefined ? {} : { seed }),
      });
    },
  };
}
