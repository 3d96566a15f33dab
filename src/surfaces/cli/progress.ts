/** Progress of indexing on stderr: a bar on a terminal, else a line every few seconds. */
import { count, formatBytes } from '../../core/text/format-numbers.ts';
import { PHASES } from '../operations/labels.ts';
import type { OperationProgress } from '../operations/operation.ts';
import { formatTime, type Terminal } from './terminal.ts';

export interface Progress {
  onProgress(progress: OperationProgress): void;
  /** Removes the bar; safe to call more than once. */
  stop(): void;
}

/** Milliseconds before anything is printed; shorter runs print nothing. */
const FIRST_LINE_AFTER = 2000;
const LINE_EVERY = 5000;

/** Printed once, if embedding takes longer than two seconds. */
const MEANWHILE =
  'You can already search by words: docfuse search QUERY --no-wait. Ctrl-C stops and keeps the vectors made so far.\n';

/**
 * @param quiet whether to print nothing
 * @param indexes whether the passages belong to an index for searches, and not to a judged set
 */
export function createProgress(terminal: Terminal, quiet: boolean, indexes = false): Progress {
  if (quiet) return { onProgress() {}, stop() {} };
  const measure = createTimeLeft();
  const { draw, stop } = terminal.interactive ? createBar() : createLines();
  let since: number | undefined;
  let said = false;
  return {
    stop,
    onProgress(each) {
      if (each.phase === 'embed' && each.sending) {
        const { host, passages, tokens } = each.sending;
        process.stderr.write(
          `${count(passages)} passages, about ${count(tokens)} tokens, are sent to ${host}. Ctrl-C stops; vectors made so far are kept.\n`,
        );
      }
      if (indexes && each.phase === 'embed' && each.done < each.total && !said) {
        since ??= performance.now();
        if (performance.now() - since >= FIRST_LINE_AFTER) {
          said = true;
          stop(); // the bar is drawn again below the message
          process.stderr.write(MEANWHILE);
        }
      }
      draw(each, measure(each));
    },
  };
}

interface Display extends Pick<Progress, 'stop'> {
  /** @param seconds estimate of the time left; infinite if unknown */
  draw(progress: OperationProgress, seconds: number): void;
}

type Library = typeof import('cli-progress');

/** Loads the library at the first progress, so that other commands start sooner. Until it is loaded, nothing is drawn. */
function createBar(): Display {
  let library: Library | undefined;
  let loading: Promise<void> | undefined;
  let bar: InstanceType<Library['SingleBar']> | undefined;
  let phase: OperationProgress['phase'] | undefined;
  const stop = () => {
    bar?.stop();
    bar = undefined;
    phase = undefined;
  };
  return {
    stop,
    draw(progress, seconds) {
      if (!loading)
        loading = import('cli-progress').then((module) => {
          library = module.default;
        });
      if (!library) return;
      if (progress.phase !== phase) {
        stop();
        phase = progress.phase;
        bar = new library.SingleBar(
          {
            format: '{label} {bar} {done} of {all} · {left}',
            stream: process.stderr,
            clearOnComplete: true,
            hideCursor: true,
            barsize: 24,
            fps: 8,
          },
          library.Presets.shades_classic,
        );
        bar.start(progress.total, progress.done, payload(progress, seconds));
      }
      bar?.setTotal(progress.total);
      bar?.update(progress.done, payload(progress, seconds));
    },
  };
}

function createLines(): Display {
  let next = performance.now() + FIRST_LINE_AFTER;
  return {
    stop() {},
    draw(progress, seconds) {
      if (performance.now() < next) return;
      next = performance.now() + LINE_EVERY;
      const { label, done, all, left } = payload(progress, seconds);
      const rest = Number.isFinite(seconds) ? `, ${left}` : '';
      process.stderr.write(`${label} ${done} of ${all}${rest}\n`);
    },
  };
}

function payload(progress: OperationProgress, seconds: number) {
  const show = progress.phase === 'pull' ? formatBytes : count;
  return {
    label: 'model' in progress ? `Embedding (${progress.model.split('@')[0]})` : PHASES[progress.phase],
    done: show(progress.done),
    all: show(progress.total),
    left: Number.isFinite(seconds) ? `${formatTime(seconds)} left` : 'starting',
  };
}

/**
 * Share of the work that must be done before the remaining time is estimated. Before that, the pace is misleading: the model
 * is still being opened, and the first documents are rarely like the last.
 */
const MIN_SHARE = 0.02;
/** Milliseconds over which the pace is measured. Passages get longer during a run, so its beginning does not predict its end. */
const WINDOW = 30_000;
/** Min milliseconds between two measured points. */
const APART = 500;

/**
 * Makes a function that takes each progress report and estimates the seconds left, at the pace of the last half minute. Returns
 * infinity until `MIN_SHARE` is done. No rate is shown: short passages go first, so an early rate would promise too much.
 * @param now in milliseconds. @default performance.now
 */
export function createTimeLeft(now = () => performance.now()): (progress: OperationProgress) => number {
  let phase: OperationProgress['phase'] | undefined;
  let from = 0;
  /** Measured points of the last half minute, oldest first. The first may be older; the pace is measured from it. `share`: 0–1. */
  let places: { readonly at: number; readonly share: number }[] = [];
  return (progress) => {
    const { done, total } = progress;
    const at = now();
    if (progress.phase !== phase) {
      phase = progress.phase;
      from = done;
      places = [{ at, share: 0 }];
    }
    const share = ('share' in progress && progress.share) || (done - from) / (total - from);
    while (places.length > 1 && places[1]!.at <= at - WINDOW) places.shift();
    const [first] = places;
    const pace = (share - first!.share) / (at - first!.at);
    if (at - places.at(-1)!.at >= APART) places.push({ at, share });
    return share >= MIN_SHARE && pace > 0 ? (1 - share) / pace / 1000 : Number.POSITIVE_INFINITY;
  };
}
