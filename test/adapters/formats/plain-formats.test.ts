/** Org and reStructuredText become Markdown, line by line. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { orgToMarkdown } from '../../../src/adapters/formats/org.ts';
import { rstToMarkdown } from '../../../src/adapters/formats/rst.ts';

test('Org: headings, blocks, drawers, links and emphasis', () => {
  const org = `#+TITLE: The lamp
#+FILETAGS: :oil:light:
# a comment
* TODO [#A] Trim the /wick/ :daily:
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

## TODO Trim the *wick*



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
      expect(made - count).toBeOneOf([0, 1, 2, 3]);
    }),
  );
});
