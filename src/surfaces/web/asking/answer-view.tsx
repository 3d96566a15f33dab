/** Above the hits: a button that asks a language model, the answer while it is written, and the passages that it cites. */
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { sourcesOf } from '../../operations/citations.ts';
import { ProblemNotice } from '../controls.tsx';
import { DocumentLink, plainTitle } from '../document-link.tsx';
import { usePage } from '../page.ts';
import type { OpenDocument } from '../place.ts';
import './asking.css';
import type { Shown, Written } from './asking.ts';
import { createAnswerRenderer } from './render-answer.ts';

export function AnswerView() {
  const { server, ...page } = usePage();
  const asking = page.asking!;
  const answers = server.value?.answers;
  const shown = asking.shown.value;
  if (!answers) return null;
  const { model, host } = answers;
  const isRunning = shown?.phase === 'searching' || shown?.phase === 'writing';
  return (
    <section class="answer" aria-label="Answer">
      <p class="asking">
        {isRunning ? (
          <button type="button" onClick={asking.stop}>
            Stop
          </button>
        ) : (
          <button type="button" title="Ctrl+Enter in the query" onClick={asking.ask}>
            {shown ? 'Answer again' : 'Answer this'}
          </button>
        )}
        <span class="quiet">
          Sends the question and the passages found to <bdi>{model}</bdi> at <bdi>{host}</bdi>
        </span>
      </p>
      <p role="status" class={shown?.phase === 'searching' ? 'quiet' : 'hidden'}>
        {shown ? PHASES[shown.phase] : ''}
      </p>
      {shown && <Answer shown={shown} />}
    </section>
  );
}

const PHASES: Readonly<Record<Shown['phase'], string>> = {
  searching: 'Looking for passages, and waiting for the model…',
  writing: 'The answer is being written.',
  done: 'The answer is complete.',
  stopped: 'The answer was stopped.',
};

function Answer({ shown: { text, phase, outcome } }: { readonly shown: Shown }) {
  const written = outcome?.answer;
  return (
    <>
      {text !== '' && <Text text={text} written={written} isWriting={phase === 'writing'} />}
      {phase === 'stopped' && <p class="quiet">Stopped here.</p>}
      <ProblemNotice of={outcome} />
      {written && <Sources written={written} />}
    </>
  );
}

interface TextProps {
  readonly text: string;
  /** Undefined while the answer is written, because it is not known yet which passages the numbers mean. */
  readonly written: Written | undefined;
  readonly isWriting: boolean;
}

function Text({ text, written, isWriting }: TextProps) {
  const { place } = usePage();
  const frame = useRef<HTMLDivElement>(null);
  const render = useMemo(createAnswerRenderer, []);
  useLayoutEffect(() => {
    const passages = new Map(written?.citations.map((each) => [each.number, placeOf(each)]));
    frame.current!.replaceChildren(render(text, passages, place.peek()));
  }, [text, written]);
  return <div ref={frame} class="written" dir="auto" aria-busy={isWriting} />;
}

function Sources({ written }: { readonly written: Written }) {
  const { nearest, notice } = written;
  const sources = sourcesOf(written);
  return (
    <>
      {notice && <p class="notice">{notice}</p>}
      {nearest && (
        <p>
          Nearest:{' '}
          <DocumentLink to={{ id: nearest.document_id, lines: [nearest.line, nearest.line] }}>
            {plainTitle(nearest.title)}
          </DocumentLink>
        </p>
      )}
      {sources.length > 0 && (
        <ol class="sources">
          {sources.map((each) => (
            <li key={each.number} value={each.number}>
              <DocumentLink to={placeOf(each)}>
                {plainTitle(each.heading_path.join(' › ') || each.title)}
              </DocumentLink>{' '}
              <bdi class="path">
                {each.path}:{each.start_line}
              </bdi>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

function placeOf({ collection, path, start_line, end_line }: Written['citations'][number]): OpenDocument {
  return { id: `${collection}/${path}`, lines: [start_line, end_line] };
}
