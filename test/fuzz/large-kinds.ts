/** Documents that hold one kind of text only, of about so many characters. */

type Make = (characters: number) => string;

const lines =
  (line: (n: number) => string): Make =>
  (characters) => {
    const made: string[] = [];
    for (let length = 0, n = 0; length < characters; n++) length += made[made.push(line(n)) - 1]!.length;
    return made.join('');
  };
const inFront =
  (line: (n: number) => string): Make =>
  (characters) =>
    `---\ntags:\n${lines(line)(characters)}---\ntext\n`;

/** Each by what it holds. */
export const LARGE_KINDS: Readonly<Record<string, Make>> = {
  'headings, all different': lines((n) => `${'#'.repeat(1 + (n % 6))} heading ${n}\n`),
  'headings, all the same': lines((n) => `${'#'.repeat(1 + (n % 6))} heading\n`),
  'headings of one level': lines((n) => `## heading ${n}\n`),
  'headings with text': lines((n) => `## heading ${n}\n\ntext ${n}\n\n`),
  'headings, underlined': lines((n) => `heading ${n}\n---\n`),
  'headings in quotes': lines((n) => `> # heading ${n}\n\n`),
  'tags, all different': lines((n) => `#tag${n} `),
  'tags on lines': lines((n) => `#tag${n}\n`),
  'tags, the same': lines(() => '#tag '),
  'tags in front matter': inFront((n) => `  - tag${n}\n`),
  'tags in a flow': (characters) => `---\ntags: [${lines((n) => `tag${n}, `)(characters)}]\n---\ntext\n`,
  'fields in front matter': (characters) =>
    `---\n${lines((n) => `key${n}: value ${n}\n`)(characters)}---\ntext\n`,
  'wikilinks, all different': lines((n) => `[[note ${n}]] `),
  'wikilinks on lines': lines((n) => `[[note ${n}]]\n\n`),
  'wikilinks, the same': lines(() => '[[note]] '),
  'inline links': lines((n) => `[text ${n}](note-${n}.md) `),
  'inline links on lines': lines((n) => `[text ${n}](note-${n}.md)\n\n`),
  'links in a list': lines((n) => `- [text ${n}](note-${n}.md)\n`),
  'reference definitions': lines((n) => `[label ${n}]: note-${n}.md\n`),
  'definitions used': lines((n) => `[label ${n}]\n\n[label ${n}]: note-${n}.md\n\n`),
  autolinks: lines((n) => `<https://example.org/${n}> `),
  images: lines((n) => `![](image-${n}.png)\n`),
  'list items': lines((n) => `- item ${n}\n`),
  'list items, loose': lines((n) => `- item ${n}\n\n`),
  'list items, the same': lines(() => '- a\n'),
  'numbered lists': lines((n) => `${(n % 999_999_999) + 1}. item\n`),
  'lists in lists': lines((n) => `${'  '.repeat(n % 8)}- item ${n}\n`),
  tasks: lines((n) => `- [ ] task ${n}\n`),
  'one table': (characters) => `| a | b |\n| - | - |\n${lines((n) => `| ${n} | b |\n`)(characters)}`,
  'many tables': lines((n) => `| a | b |\n| - | - |\n| ${n} | b |\n\n`),
  'wide table': (characters) => {
    const cells = Math.floor(characters / 8);
    return `|${'a|'.repeat(cells)}\n|${'-|'.repeat(cells)}\n|${'b|'.repeat(cells)}\n`;
  },
  emphasis: lines((n) => `*word${n}* `),
  'emphasis without end': lines(() => '*a '),
  'code spans': lines((n) => `\`name${n}\` `),
  'code fences': lines((n) => `\`\`\`js\nlet name${n} = 1;\n\`\`\`\n\n`),
  'one fence': (characters) => `\`\`\`js\n${lines((n) => `let name${n} = 1;\n`)(characters)}\`\`\`\n`,
  'indented code': lines((n) => `    let name${n} = 1;\n`),
  footnotes: lines((n) => `word[^${n}]\n\n[^${n}]: note ${n}\n\n`),
  'HTML blocks': lines((n) => `<div id="a${n}">word</div>\n\n`),
  'HTML inline': lines((n) => `word <b>${n}</b> `),
  'one HTML block': (characters) => `<div>\n${lines((n) => `<p>word ${n}</p>\n`)(characters)}</div>\n`,
  'block quotes': lines((n) => `> word ${n}\n\n`),
  'one block quote': lines((n) => `> word ${n}\n`),
  'one long line': lines((n) => `word${n} `),
  'one long word': lines(() => 'word'),
  'lines of one paragraph': lines((n) => `word ${n}\n`),
  'short paragraphs': lines((n) => `word ${n}\n\n`),
  rules: lines(() => '---\n\n'),
  'blank lines': lines(() => '\n'),
  'definitions of short forms': lines((n) => `Unified Interface Number${n} (UIN${n}). `),
  'block names': lines((n) => `word ${n} ^block${n}\n\n`),
  'headings among definitions': lines((n) => `# [label ${n}]\n\n[label ${n}]: note-${n}.md\n\n`),
  'headings with links and tags': lines((n) => `# h${n} [a](b${n}.md) #t${n}\n`),
  'headings with links': lines((n) => `## [heading ${n}](note-${n}.md)\n\n`),
  'long headings above short sections': (characters) =>
    `${[1, 2, 3, 4, 5].map((level) => `${'#'.repeat(level)} ${'heading '.repeat(60)}\n\n`).join('')}${lines((n) => `###### heading ${n}\n\n${'word '.repeat(50)}\n\n`)(characters)}`,
  'links to itself': lines((n) => `[[large#heading ${n}]] [text](large.md)\n`),
  'links with empty text': lines((n) => `[](note-${n}.md)\n`),
  sentences: lines((n) => `A b ${n}. `),
  'one long grapheme': lines(() => '\u0301'),
  'joined emoji': lines(() => '\u{1F468}\u200D'),
  emoji: lines(() => '\u{1F468}'),
  'words of Chinese': lines((n) => String.fromCharCode(0x4e00 + (n % 5000))),
  'camel case': lines((n) => `nameNumber${n}Of `),
  'names with joints': lines((n) => `name_${n}.of-${n}/`),
  spaces: lines(() => ' '),
  bars: lines(() => '|'),
  dots: lines(() => '. '),
  hashes: lines(() => '# '),
  entities: lines(() => '&amp;'),
  backslashes: lines(() => '\\'),
  'nested quotes': lines((n) => `${'> '.repeat(1 + (n % 30))}word ${n}\n`),
  'nested lists': lines((n) => `${'  '.repeat(n % 30)}- word ${n}\n`),
  'lists of lists': lines(() => '- - - a\n'),
  'underlined paragraphs': lines((n) => `word ${n}\nword\n===\n`),
  'HTML comments': lines((n) => `<!-- ${n} -->\n`),
  'open comments': lines(() => '<!-- a\n\n'),
  'open fences': lines((n) => `\`\`\`a${n}\n`),
  'open brackets': lines(() => '[a '),
  'open wikilinks': lines(() => '[[a '),
  'empty headings': lines(() => '#\n'),
  'empty list items': lines(() => '-\n'),
  'fields in text': lines((n) => `key${n}:: value ${n}\n`),
};
