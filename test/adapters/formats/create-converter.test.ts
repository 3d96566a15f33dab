/** Files in other formats become Markdown, within limits; the files were made by other programs. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, describe, expect, test } from 'vitest';
import { createConverter } from '../../../src/adapters/formats/create-converter.ts';
import { FORMATS, formatOf } from '../../../src/core/model/formats.ts';

const FILES = join(import.meta.dirname, 'files');
const converter = createConverter({ isInstalled: () => true });

async function markdownOf(
  name: string,
  bytes: Uint8Array = readFileSync(join(FILES, name)),
): Promise<string> {
  const result = await converter.convert(name, bytes);
  return result && 'text' in result ? result.text : JSON.stringify(result);
}

const fromText = (name: string, text: string) => markdownOf(name, new TextEncoder().encode(text));

test.each([
  'rules.docx',
  'briefing.pptx',
  'briefing.odp',
  'book.epub',
  'letters.odt',
  'manual.pdf',
  'broken-table.pdf',
])('%s keeps its headings and sentences', async (name) => {
  const markdown = await markdownOf(name);
  expect(markdown.match(/^#+ (Lighting the lamp|Fog signals|Night watch)$/gm)).toHaveLength(3);
  expect(markdown).toContain('\nIn fog the horn sounds twice a minute.\n');
  expect(markdown).not.toMatch(/\]\(c0\.xhtml|\{#|<a id/);
});

test.each([
  [
    'quickstart.rst',
    /^#+ .*/gm,
    ['# A ReStructuredText Primer', '## Structure', '## Text styles', '## Lists'],
  ],
  [
    'quickstart.rst',
    /^.*paragraph.*quickref.*$/gm,
    ['The most basic pattern recognised is a **paragraph** (quickref).'],
  ],
  [
    'quickstart.rst',
    /^That's a chunk of text.*$/gm,
    ["That's a chunk of text that is separated by blank lines (one is"],
  ],
  ['cheatsheet.html', /^## .*/gm, ['## Section Structure', '## Body Elements']],
  ['attributes.org', /^# A .*|TimeRange$/gm, ['TimeRange', '# A node without any attributed', 'TimeRange']],
  [
    'docbook-converter.adoc',
    /^#.*|^```\w+/gm,
    ['# DocBook converter for Asciidoctor.js', '## Install', '```sh', '## Usage', '```javascript'],
  ],
])('%s, written by others, keeps %s', async (name, pattern, found) => {
  expect((await markdownOf(name)).match(pattern)?.slice(0, found.length) ?? []).toEqual(found);
});

test('metadata of the file become front matter', async () => {
  expect(await markdownOf('rules.docx')).toMatch(
    /^---\ntitle: "Rules of the lighthouse"\nauthor: "Ada Keeper"\ndate: "2025-03-04T05:06:07\.000Z"\n---\n/,
  );
  expect(await markdownOf('rules.docx')).toContain('| Paraffin | 12 |');
  expect(await markdownOf('telegram.rtf')).toContain('with **paraffin** and letters');
});

test('a PDF says on which line each page begins', async () => {
  const lines = (await markdownOf('manual.pdf')).split('\n');
  const pages = JSON.parse(/^page_lines: (.*)$/m.exec(lines.join('\n'))![1]!);
  expect(pages.map((line: number) => lines[line - 1])).toEqual([
    '# Lighting the lamp',
    '# Fog signals',
    '# Night watch',
  ]);
});

/** A PDF with one line of text on each page. */
function pdfOf(lines: readonly string[]): Buffer {
  const pages = lines.flatMap((line, page) => {
    const content = `BT /F 12 Tf 72 720 Td (${line}) Tj ET`;
    return [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F 3 0 R>>>>/Contents ${5 + 2 * page} 0 R>>`,
      `<</Length ${content.length}>>stream\n${content}\nendstream`,
    ];
  });
  const kids = lines.map((_, page) => `${4 + 2 * page} 0 R`).join(' ');
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${lines.length}/Kids[${kids}]>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...pages,
  ].map((object, at) => `${at + 1} 0 obj${object}endobj\n`);
  const head = '%PDF-1.7\n';
  let end = head.length;
  const table = objects.map((object) => {
    const row = `${String(end).padStart(10, '0')} 00000 n \n`;
    end += object.length;
    return row;
  });
  const size = objects.length + 1;
  return Buffer.from(
    `${head}${objects.join('')}xref\n0 ${size}\n0000000000 65535 f \n${table.join('')}trailer<</Size ${size}/Root 1 0 R>>\nstartxref\n${end}\n%%EOF`,
  );
}

test('a PDF of 1,000 pages is read to its end', async () => {
  const lines = Array.from({ length: 1_000 }, (_, page) => `Page ${page + 1} tells of its lamp.`);
  const markdown = (await markdownOf('book.pdf', pdfOf(lines))).split('\n');
  const pages: number[] = JSON.parse(/^page_lines: (.*)$/m.exec(markdown.join('\n'))![1]!);
  expect(pages.map((line) => markdown[line - 1])).toEqual(lines);
});

test('a notebook keeps text, code and what the code printed', async () => {
  expect(await markdownOf('tides.ipynb')).toBe(
    '---\ntitle: "Tides"\n---\n# Tides at the lighthouse\n\nHigh water is predicted from the moon.\n\n```python\ndef high_water(moon_age):\n    return 12.4 * moon_age % 24\nprint(high_water(3))\n```\n\n```\n13.2\n```\n',
  );
});

test('an e-mail keeps subject, people, date, text and the names of what is attached', async () => {
  expect(await markdownOf('delivery.eml')).toBe(
    '---\ntitle: "Delivery of paraffin"\nauthor: "Ada Keeper"\ndate: "2025-03-04T05:06:07.000Z"\n---\n# Delivery of paraffin\n\nTo: Harbour Office\n\nPlease send twelve barrels with the next boat.\n\nAttached:\n\n- order.pdf\n',
  );
});

test('HTML keeps its main part: no navigation, script or style', async () => {
  const page =
    '<html><head><title>Oil &amp; wicks</title><style>p{}</style></head><body><nav>Home</nav><main><h1>Oil</h1>' +
    '<p>Use <b>clean</b> oil. <a href="wicks.html">Wicks</a></p><pre class="sh">trim --wick\n  --short</pre>' +
    '<table><tr><th>A</th></tr><tr><td>1</td></tr></table><script>alert(1)</script></main><footer>2025</footer></body></html>';
  expect(await fromText('oil.html', page)).toBe(
    '---\ntitle: "Oil & wicks"\n---\n# Oil\n\nUse **clean** oil. [Wicks](wicks.html)\n\n```\ntrim --wick\n  --short\n```\n\n| A |\n| - |\n| 1 |',
  );
});

test('HTML in upper case, and an author in single quotes, are read like others', async () => {
  const page =
    "<HTML><META content='Ada <ada@lamp>' NAME=author><BODY><MAIN><H1>Oil</H1><PRE>trim\n  it</PRE ><PRE>b</pre><PRE>c</MAIN ><FOOTER>2025</FOOTER></BODY></HTML>";
  expect(await fromText('oil.html', page)).toBe(
    '---\nauthor: "Ada <ada@lamp>"\n---\n# Oil\n\n```\ntrim\n  it\n```\n\n```\nb\n```\n\nc',
  );
});

test('AsciiDoc is read without its includes', async () => {
  const markdown = await fromText(
    'lamp.adoc',
    '= The lamp\nAda Keeper\n\n== Wick\n\nTrim it.\n\n[source,sh]\n----\ntrim --wick\n----\n\ninclude::/etc/passwd[]\n',
  );
  expect(markdown).toContain('# The lamp\n\n## Wick\n\nTrim it.\n\n```sh\ntrim --wick\n```');
  expect(markdown).not.toContain('root:');
});

test.each([
  ['encrypted.pdf', 'This document is password-protected'],
  ['drawing.pdf', 'it has no text; maybe its pages are pictures'],
  ['bomb.docx', 'it has no text'],
])('%s is left out with a reason', async (name, problem) => {
  expect(await converter.convert(name, readFileSync(join(FILES, name)))).toEqual({ problem });
});

const IN_NO_ARCHIVE = 'No readable entries found in ZIP data';
const PROBLEMS: Readonly<Record<string, string>> = {
  ...{
    docx: IN_NO_ARCHIVE,
    pptx: IN_NO_ARCHIVE,
    odt: IN_NO_ARCHIVE,
    odp: IN_NO_ARCHIVE,
    epub: IN_NO_ARCHIVE,
  },
  ...{ pdf: 'Invalid PDF structure', eml: 'it has no text' },
};

test.each([
  ['empty.pdf', [], 'The PDF file is empty, i.e. its size is zero bytes'],
  ['secret.docx', [0xd0, 0xcf, 0x11, 0xe0, 0xa1], 'it is encrypted, or an old .doc, .xls or .ppt file'],
])('%s says what is wrong with it', async (name, bytes, problem) => {
  expect(await converter.convert(name, Uint8Array.from(bytes))).toEqual({ problem });
});

test.each(
  FORMATS.filter((format) => format.converter && format.packages.length > 0).flatMap(
    ({ extensions }) => extensions,
  ),
)('bytes that are no .%s file are left out with a reason, or are text', async (extension) => {
  const bytes = new Uint8Array(5_000).map((_, at) => (at * 7919) % 256);
  const problem = PROBLEMS[extension];
  expect(await converter.convert(`noise.${extension}`, bytes)).toEqual(
    problem ? { problem } : { text: expect.stringContaining('ïÞÍ¼«š‰xgVE4#') },
  );
});

test('a file that needs too much memory is left out, and the next is read', async () => {
  const small = createConverter({ isInstalled: () => true, megabytes: 40 });
  const cells = `{"cells":[${'{},'.repeat(3_000_000)}{}]}`;
  expect(await small.convert('long.ipynb', new TextEncoder().encode(cells))).toEqual({
    problem: 'reading it needs more than 40 MB',
  });
  expect(await small.convert('a.org', new TextEncoder().encode('* A'))).toEqual({ text: '# A' });
});

describe.skipIf(process.platform === 'win32')('the process of a conversion that takes minutes', () => {
  /** Process ids of the converters that this process has started. */
  const converters = () =>
    spawnSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
      .stdout.matchAll(/^ *(\d+) +(\d+) .*convert-process/gm)
      .filter(([, , parent]) => Number(parent) === process.pid)
      .map(([, id]) => Number(id))
      .toArray();

  async function begin(signal?: AbortSignal) {
    const own = createConverter({ isInstalled: () => true, seconds: 4 });
    const others = converters();
    const next = async () => expect(await own.convert('a.org', Buffer.from('* A'))).toEqual({ text: '# A' });
    await next(); // the process runs before the time of the slow file begins
    const [pid, ...more] = converters().filter((each) => !others.includes(each));
    assert(pid !== undefined && more.length === 0);
    const slow = `<table>${`<tr>${'<td>a</td>'.repeat(50)}</tr>`.repeat(3_000)}</table>`;
    return { pid, next, slow: own.convert('slow.html', Buffer.from(slow), signal) };
  }

  test('ends after the time limit', async () => {
    const { pid, next, slow } = await begin();
    expect(converters()).toContain(pid);
    expect(await slow).toEqual({ problem: 'reading it takes more than 4 s' });
    await expect.poll(converters).not.toContain(pid);
    await next();
  });

  test('ends when the conversion is stopped', async () => {
    const stop = new AbortController();
    const { pid, next, slow } = await begin(stop.signal);
    setTimeout(() => stop.abort(), 300);
    await expect(slow).rejects.toThrow('abort');
    await expect.poll(converters).not.toContain(pid);
    await expect(converter.convert('a.html', new Uint8Array(), stop.signal)).rejects.toThrow('abort');
    await next();
  });

  test('may end by itself, which is no fault of the file', async () => {
    const { pid, next, slow } = await begin();
    setTimeout(() => process.kill(pid, 'SIGKILL'), 300);
    await expect(slow).rejects.toThrow('The converter process ended (SIGKILL).');
    await next();
  });
});

test.each([
  ['a page in a form', '<form><h1>All</h1><p>of it</p></form>', '# All\n\nof it'],
  ['an empty main part', '<main></main><div>text</div>', 'text'],
  ['a link whose text is its target', '<a href="keys">keys</a>', '[keys](keys)'],
  ['a main part in a script', '<script>"<main>x</main>"</script><p>text</p>', 'text'],
])('HTML: %s loses no text', async (_, html, markdown) => {
  expect(await fromText('page.html', html)).toBe(markdown);
});

test('the encoding that a page names is understood, and so is UTF-16', async () => {
  const latin = Buffer.from('<meta charset=iso-8859-1><p>na\u00efve</p>', 'latin1');
  expect(await markdownOf('latin.html', latin)).toBe('na\u00efve');
  expect(await markdownOf('wide.org', Buffer.from('\ufeff* \u00dcber', 'utf16le'))).toBe('# \u00dcber');
});

test('a notebook with empty parts is read, and one that is none says so', async () => {
  const odd = '{"cells":[null,{"cell_type":"code","source":"a","outputs":[null]}],"metadata":null}';
  expect(await fromText('odd.ipynb', odd)).toBe('```\na\n```\n');
  expect(await fromText('no.ipynb', 'x')).toBe('{"problem":"it is not JSON"}');
});

test('missing packages are named; text needs none and is not converted', async () => {
  const bare = createConverter({ isInstalled: (name) => name === 'postal-mime' });
  expect(bare.missingPackages('a/B.EML')).toEqual(['node-html-markdown']);
  expect(bare.missingPackages('a.md')).toEqual([]);
  expect(await bare.convert('a.md', new Uint8Array())).toBeUndefined();
  expect(await bare.convert('a.unknown', new Uint8Array())).toBeUndefined();
});

test('every fixture has a format', () => {
  expect(readdirSync(FILES).filter((name) => formatOf(name) === undefined)).toEqual([]);
});
