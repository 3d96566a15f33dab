/**
 * The map of a large folder: how long places take, how large the answer is, when the first picture is there, and how many frames a
 * second Chromium draws while one moves and zooms it.
 * Usage: node bench/map.ts FOLDER [--index DIR] [--runs 3]. Needs `npm run build:web`.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { type Browser, chromium } from 'playwright-core';
import { openSqliteStore } from '../src/adapters/store/sqlite-store.ts';
import { percentile } from '../src/core/evaluate/statistics.ts';
import { open } from '../src/engine/open.ts';
import { startServer } from '../src/surfaces/http/start-server.ts';
import { findChromium, WITHOUT_CHROMIUM } from '../test/support/chromium.ts';
import { keep } from './record.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    index: { type: 'string' },
    runs: { type: 'string', default: '3' },
    out: { type: 'string' },
  },
});
const [folder] = positionals;
if (folder === undefined) throw new Error('Name a folder.');
const executablePath = findChromium();
if (executablePath === undefined) throw new Error(`This ${WITHOUT_CHROMIUM}.`);
const RUNS = Number(values.runs);
/** Milliseconds of moving, and of zooming. */
const MOVING_MS = 3_000;

const indexPath = values.index ?? mkdtempSync(join(tmpdir(), 'docfuse-map-'));
// Without a service that embeds: vectors would take the time of the measurement.
const embedding = { provider: 'openai', model: 'none', base_url: 'http://127.0.0.1:9/v1' } as const;
const options = { roots: [folder], indexPath, settings: { embedding } };
{
  await using index = await open(options);
  await index.sync({ embed: false });
}

const layout: number[] = [];
for (let run = 0; run < RUNS; run++) {
  forgetPlaces();
  await using index = await open(options);
  await index.map({ wait: false });
  const began = performance.now();
  await index.map();
  layout.push(performance.now() - began);
}

const server = await startServer({ open: options, port: 0 });
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const body = JSON.stringify({ wait: true });
const ask = () =>
  fetch(`${server.url}/api/map`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
const answer = await (await ask()).text();
const answers: number[] = [];
for (let run = 0; run < RUNS * 2; run++) {
  const began = performance.now();
  await (await ask()).text();
  answers.push(performance.now() - began);
}
const pictures: Picture[] = [];
for (let run = 0; run < RUNS; run++) pictures.push(await measurePicture(browser));
await browser.close();
await server.close();

const { documents, links } = JSON.parse(answer);
const measured = {
  folder: basename(folder),
  documents: documents.ids.length,
  links: links.sources.length,
  bytes: { plain: answer.length, compressed: gzipSync(answer).length },
  layoutMs: Math.min(...layout),
  answerMs: Math.min(...answers),
  firstPictureMs: Math.min(...pictures.map(({ first }) => first)),
  framesPerSecond: {
    moving: Math.max(...pictures.map(({ moving }) => moving.perSecond)),
    zooming: Math.max(...pictures.map(({ zooming }) => zooming.perSecond)),
    movingNear: Math.max(...pictures.map(({ movingNear }) => movingNear.perSecond)),
  },
  runs: { layout, answers, pictures },
};
console.log(JSON.stringify(measured, null, 2));
await keep('map', measured, values.out);

function forgetPlaces(): void {
  const store = openSqliteStore(join(indexPath, 'index.sqlite'));
  store.setState({ layout: { edges: '', ids: [], places: [] } });
  store.close();
}

interface Frames {
  readonly perSecond: number;
  /** Milliseconds between two frames; 95 of 100 are shorter. */
  readonly p95: number;
}

interface Picture {
  /** Milliseconds from the start of loading the page to the first picture. */
  readonly first: number;
  readonly moving: Frames;
  readonly zooming: Frames;
  /** Moving after zooming, with titles. */
  readonly movingNear: Frames;
}

async function measurePicture(inside: Browser): Promise<Picture> {
  const context = await inside.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(`${server.url}/?view=map`);
  // The names of communities get their places when the map has been drawn.
  const first = (await page.evaluate(`new Promise((done) => {
    const look = () => {
      if (document.querySelector('.map-names bdi')?.style.transform) done(Math.round(performance.now()));
      else requestAnimationFrame(look);
    };
    look();
  })`)) as number;
  await page.waitForTimeout(1500);
  const frames = async (act: string): Promise<Frames> => {
    const script = `new Promise((done) => {
      const stage = document.querySelector('.map-stage');
      const box = stage.getBoundingClientRect();
      const middle = { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, bubbles: true };
      const top = stage.querySelector('.sigma-mouse');
      const times = [];
      const end = performance.now() + ${MOVING_MS};
      ${act}
      requestAnimationFrame(function next(now) {
        times.push(now);
        step(times.length);
        if (now < end) requestAnimationFrame(next);
        else { last(); done(times); }
      });
    })`;
    const times = (await page.evaluate(script)) as readonly number[];
    const gaps = times.slice(1).map((time, at) => time - times[at]!);
    return {
      perSecond: Math.round((gaps.length / (times.at(-1)! - times[0]!)) * 10_000) / 10,
      p95: Math.round(percentile(gaps, 0.95)),
    };
  };
  const move = `
    top.dispatchEvent(new MouseEvent('mousedown', middle));
    const at = (step) => ({ ...middle, clientX: middle.clientX + Math.sin(step / 20) * 200, clientY: middle.clientY + Math.cos(step / 15) * 100 });
    const step = (count) => document.dispatchEvent(new MouseEvent('mousemove', at(count)));
    const last = () => document.dispatchEvent(new MouseEvent('mouseup', middle));`;
  const zoom = `
    const step = (count) => {
      const deltaY = Math.floor(count / 60) % 2 === 0 ? -40 : 40;
      if (count % 8 === 0) top.dispatchEvent(new WheelEvent('wheel', { ...middle, deltaY, cancelable: true }));
    };
    const last = () => {};`;
  const near = `
    const step = (count) => {
      if (count % 12 === 0) top.dispatchEvent(new WheelEvent('wheel', { ...middle, deltaY: -40, cancelable: true }));
    };
    const last = () => {};`;
  const moving = await frames(move);
  const zooming = await frames(zoom);
  await frames(near);
  const movingNear = await frames(move);
  await context.close();
  return { first, moving, zooming, movingNear };
}
