/** Progress of indexing on stderr: a bar on a terminal, else a line every few seconds. */
import type { OperationProgress } from '../operations/operation.ts';
import { count, formatBytes, formatTime, type Terminal } from './terminal.ts';

export interface Progress {
  onProgress(progress: OperationProgress): void;
  /** Removes the bar; safe to call more than once. */
  stop(): void;
}

const LABELS = {
  copy: 'Keeping vectors',
  read: 'Reading',
  embed: 'Embedding',
  query: 'Asking',
  fit: 'Fitting',
  pull: 'Pulling',
} as const;

/** Shorter runs print nothing, in milliseconds. */
const FIRST_LINE_AFTER = 2000;
const LINE_EVERY = 5000;

/** @param quiet prints nothing at all */
export function createProgress(terminal: Terminal, quiet: boolean): Progress {
  if (quiet) return { onProgress() {}, stop() {} };
  return terminal.interactive ? createBar() : createLines();
}

type Library = typeof import('cli-progress');

/** Loads the library with the first progress, so that other commands start sooner. Progress before it is loaded is not drawn. */
function createBar(): Progress {
  const measure = createPace();
  let library: Library | undefined;
  let loading = false;
  let bar: InstanceType<Library['SingleBar']> | undefined;
  let phase: OperationProgress['phase'] | undefined;
  async function load(): Promise<void> {
    loading = true;
    library = (await import('cli-progress')).default;
  }
  const stop = () => {
    bar?.stop();
    bar = undefined;
    phase = undefined;
  };
  return {
    stop,
    onProgress(progress) {
      const pace = measure(progress);
      if (!loading) void load();
      if (!library) return;
      if (progress.phase !== phase) {
        stop();
        phase = progress.phase;
        bar = new library.SingleBar(
          {
            format: '{label} {bar} {done} of {all} · {rate}/s · {left}',
            stream: process.stderr,
            clearOnComplete: true,
            hideCursor: true,
            barsize: 24,
            fps: 8,
          },
          library.Presets.shades_classic,
        );
        bar.start(progress.total, progress.done, payload(progress, pace));
      }
      bar?.setTotal(progress.total);
      bar?.update(progress.done, payload(progress, pace));
    },
  };
}

function createLines(): Progress {
  const measure = createPace();
  let next = performance.now() + FIRST_LINE_AFTER;
  return {
    stop() {},
    onProgress(progress) {
      const pace = measure(progress);
      if (performance.now() < next) return;
      next = performance.now() + LINE_EVERY;
      const { label, done, all, rate: perSecond, left } = payload(progress, pace);
      const rest = Number.isFinite(pace.seconds) ? `, ${left}` : '';
      const speed = pace.rate > 0 ? `, ${perSecond} per second${rest}` : '';
      process.stderr.write(`${label} ${done} of ${all}${speed}\n`);
    },
  };
}

function payload(progress: OperationProgress, { rate, seconds }: Pace) {
  const show = progress.phase === 'pull' ? formatBytes : count;
  return {
    label: LABELS[progress.phase],
    done: show(progress.done),
    all: show(progress.total),
    rate: show(Math.round(rate)),
    left: Number.isFinite(seconds) ? `${formatTime(seconds)} left` : 'starting',
  };
}

export interface Pace {
  /** Items a second since the phase began. */
  readonly rate: number;
  /** Time left at this pace; infinite until enough is done to estimate it. */
  readonly seconds: number;
}

/**
 * Share of the work that must be done before the rest is estimated: at first a model is still being opened, and the first
 * documents are rarely like the last.
 */
const MIN_SHARE = 0.02;

/** @param now milliseconds. @default performance.now */
export function createPace(now = () => performance.now()): (progress: OperationProgress) => Pace {
  let phase: OperationProgress['phase'] | undefined;
  let since = 0;
  let from = 0;
  return (progress) => {
    const { done, total } = progress;
    if (progress.phase !== phase) {
      phase = progress.phase;
      since = now();
      from = done;
    }
    const elapsed = (now() - since) / 1000;
    const share = ('share' in progress && progress.share) || (done - from) / (total - from);
    return {
      rate: elapsed > 0 ? (done - from) / elapsed : 0,
      seconds: share >= MIN_SHARE ? (elapsed * (1 - share)) / share : Number.POSITIVE_INFINITY,
    };
  };
}
