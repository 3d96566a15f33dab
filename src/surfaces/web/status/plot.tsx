/** Bars, drawn by uPlot in the colours of the page. The words beside the plot say the same. */
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

interface Props {
  readonly bars: readonly number[];
  /** What the axes are for. */
  readonly labels: { readonly x: string; readonly y: string };
  /** The name of a bar, on the axis below. @default bars have no names */
  readonly nameOf?: (bar: number) => string;
  /** Heights of lines across the plot. */
  readonly lines?: readonly number[];
  /** Each line of the grid is ten times as high as the one below it. @default false */
  readonly logarithmic?: boolean;
}

const HEIGHT = 180;
const FONT = '12px system-ui, sans-serif';

export function Plot(props: Props) {
  const place = useRef<HTMLDivElement>(null);
  const { bars, lines = [] } = props;
  useEffect(() => {
    const element = place.current!;
    let plot: uPlot | undefined;
    const draw = () => {
      plot?.destroy();
      const across = lines.map((line) => bars.map(() => line));
      plot = new uPlot(optionsFor(element, props), [[...bars.keys()], [...bars], ...across], element);
    };
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', draw);
    // The first drawing is made here, too: the browser calls this function once when the observer starts.
    const resized = new ResizeObserver(() => {
      if (plot?.width !== element.clientWidth) draw();
    });
    resized.observe(element);
    return () => {
      scheme.removeEventListener('change', draw);
      resized.disconnect();
      plot?.destroy();
    };
  }, [JSON.stringify([bars, lines])]);
  return <div class="plot" aria-hidden="true" ref={place} />;
}

function optionsFor(
  element: HTMLElement,
  { bars, labels, nameOf, lines = [], logarithmic = false }: Props,
): uPlot.Options {
  // A canvas cannot use variables of style sheets, so the colours are read from the style of the element.
  const { color, outlineColor, borderTopColor, accentColor } = getComputedStyle(element);
  const axis = { stroke: color, font: FONT, ticks: { show: false }, labelFont: FONT, labelSize: 18 };
  const powers = powersAround(bars);
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false, range: [-0.6, bars.length - 0.4] },
      y: logarithmic
        ? { distr: 3, range: [powers[0]!, powers.at(-1)!] }
        : { range: (_, __, most) => [0, most * 1.05] },
    },
    series: [
      {},
      {
        fill: accentColor,
        stroke: accentColor,
        paths: uPlot.paths.bars!({ size: [0.8, 40] }),
        points: { show: false },
      },
      ...lines.map(() => ({ stroke: outlineColor, width: 2, dash: [6, 4], points: { show: false } })),
    ],
    axes: [
      {
        ...axis,
        label: labels.x,
        size: nameOf ? 24 : 6,
        grid: { show: false },
        splits: nameOf ? bars.map((_, at) => at) : [],
        values: (_, splits) => splits.map((at) => nameOf?.(at) ?? ''),
      },
      {
        ...axis,
        label: labels.y,
        size: 52,
        grid: { stroke: borderTopColor, width: 1 },
        ...(logarithmic && { splits: [...powers], filter: (_, splits) => splits }),
      },
    ],
  };
}

/** Powers of ten from below the smallest value to above the largest. */
function powersAround(values: readonly number[]): readonly number[] {
  const first = Math.floor(Math.log10(Math.min(...values)) - 0.01);
  const last = Math.ceil(Math.log10(Math.max(...values)) + 0.01);
  return Array.from({ length: last - first + 1 }, (_, at) => 10 ** (first + at));
}
