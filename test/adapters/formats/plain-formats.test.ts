/** Org and reStructuredText become Markdown, line by line. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { convert as convertMetadata } from '../../../src/adapters/formats/metadata.ts';
import { orgToMarkdown } from '../../../src/adapters/formats/org.ts';
import { rstToMarkdown } from '../../../src/adapters/formats/rst.ts';

test('Org: headings, blocks, drawers, links and emphasis', () => {
  const org = `#+TITLE: The lamp
#+FILETAGS: :oil:light:
# a comment
* DONE [#A] Trim the /wick/ :daily:
:PROPERTIES:
:ID: 12
:END:
Use =clean= oil, *always*: [[file:oil.org][see here]] or [[https://oil.example]].
- wick :: cotton
#+BEGIN_SRC sh
trim --wick  # *not bold*
#+END_SRC
#+begin_quote
Keep it lit.
#+end_quote
| a | b |
|---+---|
| 1 | 2 |`;
  expect(orgToMarkdown(org)).toBe(`# The lamp
#oil #light

## DONE Trim the *wick*



Use \`clean\` oil, **always**: [see here](<oil.org>) or <https://oil.example>.
- **wick**: cotton
\`\`\`sh
trim --wick  # *not bold*
\`\`\`

> Keep it lit.

| a | b |
|---|---|
| 1 | 2 |`);
});

test('reStructuredText: headings by their order, directives, literal blocks, roles and links', () => {
  const rst = `====
Lamp
====

Wick
----

See :ref:\`the oil <oil>\`, \`\`trim()\`\`, :py:func:\`~lamp.light\` and \`a page <https://oil.example>\`_.

.. note::

   Use clean oil.

.. code-block:: sh
   :linenos:

   trim --wick
     --short

Then run::

    light --now

.. function:: light(now)

   Lights it.

.. _oil:

.. toctree::
   :maxdepth: 2

   wicks
   Oil and more <oil/all>

.. This is a comment
   of two lines.

Care
----
Daily.`;
  expect(rstToMarkdown(rst)).toBe(`
# Lamp


## Wick


See the oil, \`\`trim()\`\`, \`lamp.light\` and [a page](https://oil.example).

**Note:** 

Use clean oil.

\`\`\`sh


trim --wick
  --short
\`\`\`
Then run:
\`\`\`
light --now
\`\`\`
\`light(now)\`

Lights it.






- [wicks](wicks.rst)
- [Oil and more](oil/all.rst)




## Care

Daily.`);
});

test('Org: what is never closed hides nothing, and another end closes nothing', () => {
  const org =
    '* One\n:PROPERTIES:\n:ID: 1\n* Two\n#+begin_comment\nnever closed\n* Three\n#+BEGIN_SRC sh\n#+end_quote\n#+END_SRC\nafter';
  expect(orgToMarkdown(org)).toBe(
    '# One\n:PROPERTIES:\n:ID: 1\n# Two\n#+begin_comment\nnever closed\n# Three\n```sh\n#+end_quote\n```\nafter',
  );
});

test('reStructuredText: notes, captions, fields and a role at the beginning of a note are kept', () => {
  const rst =
    ':Author: Ada\n\n.. Note::\n   :ref:`foo` explains this.\n\n.. figure:: a.png\n   :width: 3\n\n   The caption.\n\n' +
    '.. [#one] A footnote\n   goes on.\n\n.. only:: html\n\n   Kept.\n\n.. math::\n\n   x^2\n\nEnd [#one]_, `alias <other_>`__.';
  expect(rstToMarkdown(rst)).toBe(
    '- **Author:** Ada\n\n**Note:** \nfoo explains this.\n\n\n\n\nThe caption.\n\n' +
      '[one] A footnote\ngoes on.\n\n\n\nKept.\n\n```latex\n\nx^2\n```\nEnd [one], alias.',
  );
});

test('reStructuredText: a class of Python keeps its signature and what is said of it', () => {
  expect(rstToMarkdown('.. class:: Lamp(oil)\n\n   It shines.\n\n.. container:: wide\n\n   Kept.')).toBe(
    '`Lamp(oil)`\n\nIt shines.\n\n\n\nKept.',
  );
});

test('reStructuredText: code without a blank line below, or without a line, has no fence', () => {
  expect(
    rstToMarkdown('.. code:: sh\n.. code:: sh\n   one\nText::\n   three\n\n.. code:: sh\n\n   two'),
  ).toBe('\n\none\nText:\nthree\n\n```sh\n\ntwo\n```');
});

test('a line stays on its line', () => {
  const line = fc.oneof(
    fc.string(),
    fc.constantFrom(
      '* Head',
      '=====',
      '.. code:: sh',
      '   code',
      '::',
      '#+BEGIN_SRC',
      '#+END_SRC',
      ':END:',
      '',
      'Text::',
    ),
  );
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const text = lines.map((each) => each.replace(/[\r\n]/g, '')).join('\n');
      const count = text.split('\n').length;
      expect(orgToMarkdown(text).split('\n')).toHaveLength(count);
      const made = rstToMarkdown(text).split('\n').length;
      // A code block at the end of the file gets a closing fence.
      expect(made - count).toBeOneOf([0, 1]);
    }),
  );
});

test.each([
  ['Description-Content-Type: text/markdown', 'Use `*x*`.', 'Use `*x*`.'],
  ['Description-Content-Type: text/x-rst', 'Use ``x``; :ref:`more`.', 'Use ``x``; more.'],
  ['License: MIT', 'Use ``x``; :ref:`more`.', 'Use ``x``; more.'],
])('METADATA: title, summary, and the description in its own format: %s', async (header, text, expected) => {
  const metadata = `Metadata-Version: 2.1\nName: oil\nVersion: 1.2\nSummary: Burns.\n${header}\n\n${text}`;
  const { fields, markdown } = await convertMetadata(Buffer.from(metadata), '');
  expect(fields).toEqual({ title: 'oil 1.2' });
  expect(markdown).toBe(`Burns.\n\n\n${expected}`);
});

test('a file METADATA of another program says so', async () => {
  await expect(async () => convertMetadata(Buffer.from('a: 1\n\ntext'), '')).rejects.toThrow(
    'Python package',
  );
});
