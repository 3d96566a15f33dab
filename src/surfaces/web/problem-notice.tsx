/** Says what went wrong and what to do about it. */
import { usePage } from './page.ts';
import type { Told } from './session.ts';

interface Props {
  /** An outcome; nothing is shown without a problem. */
  readonly of: { readonly problem?: Told | undefined } | undefined;
}

export function ProblemNotice({ of }: Props) {
  const { place } = usePage();
  if (!of?.problem) return null;
  const { code, detail, remedy } = of.problem;
  // Leave out a remedy that lists the fields of the API. The detail names the field that is wrong.
  const isFilter = code === 'usage' && place.value.filters.some(({ field }) => detail.includes(`${field}: `));
  const shown = remedy.startsWith('Fields of ') ? '' : remedy;
  return (
    <p class="notice" role="alert">
      {detail} {isFilter ? 'Correct or remove the filter.' : shown}
    </p>
  );
}
