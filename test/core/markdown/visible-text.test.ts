/** What a reader of the rendered page sees: pages of each kind, lines that stay, hostile input. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkDocument, DEFAULT_CHUNKING } from '../../../src/core/chunk/chunk-document.ts';
import { parseDocument } from '../../../src/core/markdown/parse-document.ts';
import { violationsOf } from '../../support/chunk-invariants.ts';
import { growth, NOISY } from '../text/growth.ts';

const shown = (text: string, path = 'a.md') => parseDocument(path, text).text;
const titleOf = (text: string) => parseDocument('a.md', text).title;

describe('the text of a page', () => {
  it.each(['docusaurus.mdx', 'docfx.md', 'material.md', 'jekyll.md', 'notes.md'])('of %s', async (name) => {
    const source = readFileSync(new URL(`pages/${name}`, import.meta.url), 'utf8');
    const { text, sections } = parseDocument(name, source);
    const path = sections.map(({ headings }) => headings.join(' > ')).join('\n');
    await expect(`${path}\n---\n${text}`).toMatchFileSnapshot(`pages/${name}.txt`);
  });

  it('is blank for a page of components alone', () => {
    expect(shown("import A from './a'\n\n<A />\n\n<B x={{ y: 1 }}>\n</B>\n", 'a.mdx').trim()).toBe('');
  });

  it.each([
    'An `<a>` and `{{x}}` and `import x from "y"`.',
    '```\nimport x from "y"\n<T>{{x}}</T>\n:::note\n```',
    '    {{x}} <b>',
    'import the file, export it, then go on.',
    'a < b and b > c, x<y>, Vec<T>, Result<Option<T>, E>, <file>',
    '<https://a.test/{{b}}> and <me@a.test>',
    'The set {1, 2} and {.5} and {:?}, 50%% of {} and {x}.',
    '$\\frac{{a}}{{b}}$, $x_{i=1}$ and $5 or $6',
    'The mark :::, !!! too, and /// three slashes',
    '[![Build](a.svg)](b.md) [!] [x]: y',
    'Put it in <thinking> tags: <thinking>so</thinking>, then cp <input> <output>.',
    'What? ??? Really!!!',
    'a %% b',
    'Write %% to print a percent sign, %d for a number, and %%d or %% to print "%d".',
    'Use %%s and 5%% of it, %%i and %%i in.',
    'A comment %%that goes\non%% is in one line.',
    'Set `X`: ${{ secrets.DEPLOY_TOKEN }}, {{name}} or {{ user.name | default: "you" }}.',
    '| Greeting | Hello {{name}} |\n| --- | --- |\n| {{#if x}} | {{/if}} |',
    'export default settings with the menu File.',
    'export default settings\nand go on.',
    'export function calls (all of them), then go on.',
    'export const values with care.',
    'export {name} to the shell.',
  ])('keeps %j', (text) => expect(shown(text)).toBe(text));

  it.each([
    ['One<br>two', 'One two'],
    ['`a`<br/>`b`', '`a` `b`'],
    ['un<b>bold</b>ed', 'unbolded'],
    ['<Foo.Bar a={() => ({ b: [1] })}>x</Foo.Bar>', 'x'],
    ['<Tab title="First" />and', 'First and'],
    ['a <kbd>Ctrl</kbd> b', 'a Ctrl b'],
    ['Press <button>OK</button> x<i>y</i>', 'Press OK xy'],
    ['<p>a</p>\n<p>b', 'a\nb'],
    ['<T>generic</T>', 'generic'],
    [
      '| a<br>b | {{< c >}} |\n| --- | --- |\n| <i class="x">d</i> | e |',
      '| a b | |\n| --- | --- |\n| d | e |',
    ],
    ['A{{% note %}} b {{< ref "c.md" >}}d{{/* e */}}', 'A b d'],
    ['One %%two 2, 3% three%% four', 'One four'],
    ['One\n\n%%\ntwo\nthree\n%%\n\n%% four %%\n\nfive', 'One\n\n\n\n\n\n\n\n\nfive'],
    ['export const a = 1\nb', '\nb'],
    ['export default function A() {\nb', '\nb'],
    ['export default A;\nb', '\nb'],
    ['export { a, b } from "c"\nd', '\nd'],
    ['- {% if x %}one{% endif %}\n- two', '- one\n- two'],
    ['Tom &amp; Jerry&nbsp;say &copy;, &#8364; 5 &lt; 6 &foo;', 'Tom & Jerry say ©, € 5 < 6 &foo;'],
    ['&lt;b&gt; &#42;x&#42; &amp;lt; \\&amp;', '\\<b> \\*x\\* \\&lt; \\&amp;'],
    ['&emsp;a<br>&amp;<br>b &nbsp; c\n&gt; d\n\n&nbsp;', 'a & b c\n\\> d\n\n'],
    ['`&amp;` $a &lt; b$ [x &amp; y](z?a=1&amp;b)', '`&amp;` $a &lt; b$ [x & y](z?a=1&amp;b)'],
    ['| a &vert; b |\n| --- |\n| &amp; |', '| a \\| b |\n| --- |\n| & |'],
  ])('of %j is %j', (text, plain) => expect(shown(text)).toBe(plain));

  it.each([
    ['## Install {#install}', 'Install'],
    ['# Install {#install', 'Install'],
    ['# Install {#install} {: .a }{#b', 'Install'],
    ['# Install {: #install .x} ##', 'Install'],
    ['# Install {/* #install */}', 'Install'],
    ['# `{#x}` of {{ y }}', '{#x} of {{ y }}'],
    ['# A Vec<T> of <b>T</b>', 'A Vec<T> of T'],
    ['# A &amp; B &lt;b> of&nbsp;&amp;lt; &#42;c&#42;', 'A & B <b> of &lt; *c*'],
  ])('the title of %j is %j', (text, title) => expect(titleOf(text.replace('## ', '# '))).toBe(title));

  it('has the text of a link that Dendron wrote', () => {
    expect(titleOf('# On [[some text|a.b.c]]')).toBe('On some text');
  });

  it('shows what follows a style that is never closed, also right behind a closed one', () => {
    expect(parseDocument('a.md', '<style>a</style><style>\nb\n').text).toBe('\nb\n');
  });

  it('has the lines of the file, whatever the markup', () => {
    const part = fc.constantFrom(
      ...[
        '<b>',
        '</b>',
        '<Foo a={1}>',
        '</Foo>',
        '&amp;',
        '&nbsp;',
        '<!--',
        '-->',
        '{{',
        '}}',
        '{%',
        '%}',
        '{#a}',
        '%%',
        ':::',
      ],
      ...[
        '\n',
        '\n\n',
        '    ',
        '# ',
        '> ',
        '- ',
        '| ',
        '```',
        '`',
        '$',
        'word ',
        '<style>',
        '</style>',
        '<div>',
      ],
      ...['import a from "b"', '!!! note "x"', '[!NOTE]', '🙂', '\r\n', '{: .x}', '/// tip | y', '---\n'],
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), fc.boolean(), (parts, isMdx) => {
        const source = parts.join('');
        const document = parseDocument(isMdx ? 'a.mdx' : 'a.md', source);
        const chunks = chunkDocument('c/a.md', document, DEFAULT_CHUNKING);
        const wrong = violationsOf(source, document, chunks, DEFAULT_CHUNKING);
        expect(wrong.filter((each) => !/: blank$/.test(each))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});

describe('time', NOISY, () => {
  it.each([
    ...[
      '<',
      '<a ',
      '<a b="',
      '<a b={',
      '<A b="\n',
      '\n<A b={\n',
      '\n{/* a\n',
      '<A b={{',
      '{',
      '{{',
      '{{a ',
      '{{< a',
      '{%',
      '{%a',
      '{/*',
      '{#a ',
      '%%',
      '%%a ',
      '\n%%a ',
      '$',
      '$$a',
      '$a',
    ],
    ...[
      ':::',
      ':::image ',
      '\n:::a ',
      '[!a',
      '[!a[',
      '\n!!! a',
      '\n/// a',
      '{.a ',
      '*{.a',
      '{:a=',
      '\n import "',
      'import {',
      'export {',
      'export const a ',
    ],
    ...[
      '&gt;',
      '&a',
      '<style>',
      '<style>\n\n',
      '<!--',
      '\n<div>',
      '<p>a</p>\n',
      '<T>',
      '</T>',
      '\n# a {#',
      ' {#a} ',
      '\n# a {{',
      '   ',
      '\n   ',
    ],
  ])('grows in step with the text on repeated %j', (unit) => {
    expect(growth((text) => parseDocument('a.md', text), unit)).toBeLessThan(4);
    expect(growth((text) => parseDocument('a.mdx', `import ${text}`), unit)).toBeLessThan(4);
    expect(growth((text) => parseDocument('a.md', `<div>${text}`), unit)).toBeLessThan(4);
  });

  it('is short for a page of HTML of 5 MB', () => {
    const row =
      '<div class="row"><p>Some <b>text</b> of a page &amp; a <a href="x.html">link</a>.</p>\n  <style>a {\n\n}</style></div>\n';
    const page = `<!DOCTYPE html>\n<html><head>\n${row.repeat(Math.ceil(5_000_000 / row.length))}</html>`;
    const start = process.cpuUsage();
    const text = shown(page);
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(10_000);
    expect(text).not.toMatch(/[<>{}]/);
    expect(text).toContain('Some text of a page & a link.');
  });
});
