/** Why a hit was found. The explanation and its view are loaded when somebody asks. */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Hit } from './finder.ts';
import { usePage } from './page.ts';

type Explained = NonNullable<Hit['explanation']>;

export function Why({ hit: { chunk_id } }: { readonly hit: Hit }) {
  const { finder } = usePage();
  const [isOpen, setOpen] = useState(false);
  const [shown, setShown] = useState<VNode>();
  // Explain the hit again after a new answer, which may have it for other reasons.
  const answer = finder.phase.value === undefined ? finder.found.value : undefined;
  useEffect(() => {
    if (!isOpen || !answer) return undefined;
    // A former explanation stays until the next one is there.
    setShown((former) => former ?? <p>Asking…</p>);
    let isLatest = true;
    void explain(finder.explain(chunk_id)).then((view) => {
      if (isLatest) setShown(view);
    });
    return () => {
      isLatest = false;
    };
  }, [isOpen, answer, chunk_id]);
  return (
    <details class="why" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Why this hit</summary>
      {shown}
    </details>
  );
}

async function explain(asked: Promise<Explained | undefined>): Promise<VNode> {
  const loaded = import('./explanation.tsx').catch(() => undefined);
  const [view, explanation] = await Promise.all([loaded, asked.catch(() => 'lost' as const)]);
  if (!view || explanation === 'lost')
    return <p>The explanation could not be loaded. Load the page again when the server runs.</p>;
  return explanation ? <view.Explanation of={explanation} /> : <p>This hit is no longer found.</p>;
}
