/** What the index holds, and how fresh it is. */
import { useEffect, useState } from 'preact/hooks';
import type { AnswerOf } from '../../operations/operation.ts';
import type { status } from '../../operations/status.ts';
import { usePage } from '../page.ts';
import type { Outcome } from '../session.ts';

export function StatusView() {
  const { session } = usePage();
  const [shown, setShown] = useState<Outcome<AnswerOf<typeof status>> | undefined>();
  const returns = session.returns.value;
  useEffect(() => {
    const stopped = new AbortController();
    void session.ask('/api/status', {}, stopped.signal).then(setShown);
    return () => stopped.abort();
  }, [returns]);
  if (!shown) return null;
  if ('problem' in shown) {
    return (
      <p class="notice" role="alert">
        {shown.problem.detail} {shown.problem.remedy}
      </p>
    );
  }
  const { index, links, bytes } = shown.answer;
  const rows = [
    ['Documents', index.documents.toLocaleString()],
    ['Passages', index.chunks.toLocaleString()],
    ['Found by meaning', `${index.embedded.toLocaleString()} passages, ${index.model}`],
    ['Links', links.toLocaleString()],
    ['Size on disk', `${(bytes / 1e6).toFixed(1)} MB`],
    ['Up to date', index.updated ? new Date(index.updated).toLocaleString() : 'never'],
  ] as const;
  return (
    <dl class="rows">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
