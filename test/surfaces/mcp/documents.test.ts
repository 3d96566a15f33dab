/** Resources, prompts and completion, through the official client. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { completePath, documentOf, documentUri } from '../../../src/surfaces/mcp/documents.ts';
import type { RunOperation } from '../../../src/surfaces/operations/operation.ts';
import { createServed, NOTES, type Served } from '../http/served.ts';
import { type Connected, connectHttp, ERAS } from './connect.ts';

/** Names that mean something in a URI, and more documents than fit one page. */
const FILES = {
  ...NOTES,
  'odd/100% & #1?.md': '# Odd\n\nA name with signs in it.\n',
  'odd/ä b.txt': 'Plain text about nothing.\n',
  ...Object.fromEntries(
    Array.from({ length: 210 }, (_, each) => [
      `many/${String(each).padStart(3, '0')}.md`,
      `# Number ${each}\n`,
    ]),
  ),
};
const TEMPLATE = { type: 'ref/resource', uri: 'docfuse://{collection}/{+path}' } as const;

let served: Served;
const clients = new Map<string, Connected>();

beforeAll(async () => {
  served = await createServed({ files: FILES });
  await ready();
  for (const era of ERAS) clients.set(era, await connectHttp(served.server.url, { era }));
});
afterAll(async () => {
  for (const each of clients.values()) await each[Symbol.asyncDispose]();
  await served?.[Symbol.asyncDispose]();
});

describe.each(ERAS)('%s', (era) => {
  const client = () => clients.get(era)!.client;

  test('documents are listed page by page', async () => {
    const first = await client().listResources({});
    const pages = [first];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page = await client().listResources(cursor === '' ? { cursor: await firstCursor() } : { cursor });
      pages.push(page);
      cursor = page.nextCursor;
    }
    expect(first.resources).toHaveLength(Object.keys(FILES).length);
    expect(pages[1]!.resources).toHaveLength(Object.keys(FILES).length - 200);
    expect(first.resources.find(({ name }) => name === 'notes/backup.md')).toMatchObject({
      uri: 'docfuse://notes/backup.md',
      title: 'Backups',
      mimeType: 'text/markdown',
      annotations: { lastModified: expect.stringMatching(/^\d{4}-.*Z$/) },
    });
  });

  test('a cursor that is none is a wrong parameter, with what to do', async () => {
    await expect(client().listResources({ cursor: 'nonsense' })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('Leave it out to get the first page.'),
    });
  });

  test('one template', async () => {
    const { resourceTemplates } = await client().listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([TEMPLATE.uri]);
  });

  test('every listed document can be read', async () => {
    const { resources } = await client().listResources();
    for (const { uri, mimeType } of resources.filter(({ name }) => !name.startsWith('notes/many/'))) {
      const { contents } = await client().readResource({ uri });
      expect(contents).toMatchObject([{ uri, mimeType, text: expect.any(String) }]);
    }
    const odd = await client().readResource({ uri: 'docfuse://notes/odd/100%25%20%26%20%231%3F.md' });
    expect(odd.contents).toMatchObject([{ text: '# Odd\n\nA name with signs in it.' }]);
  });

  test.each([
    ['docfuse://notes/gone.md', /no document notes\/gone\.md/],
    ['docfuse://notes/zebraquux.txt', /no document notes\/zebraquux\.txt.* list_documents shows/],
    ['docfuse://notes/../../etc/passwd', /not found|no document/],
    ['docfuse://notes/%E0%A4%A.md', /not found/],
    ['docfuse://notes', /not found/],
    ['file:///etc/passwd', /not found/],
  ])('%s is not found', async (uri, message) => {
    await expect(client().readResource({ uri })).rejects.toThrow(message);
  });

  test.each([
    ['collection', 'N', undefined, ['notes']],
    ['collection', 'x', undefined, []],
    ['path', 'ba', 'notes', ['backup.md']],
    ['path', 'ba', 'nowhere', []],
    ['path', 'odd', undefined, ['odd/100% & #1?.md', 'odd/ä b.txt']],
  ])('the %s of a document that begins with “%s”', async (name, value, collection, values) => {
    const { completion } = await client().complete({
      ref: TEMPLATE,
      argument: { name, value },
      ...(collection !== undefined && { context: { arguments: { collection } } }),
    });
    expect(completion.values).toEqual(values);
  });

  test('a completion names a hundred and says that there are more', async () => {
    const { completion } = await client().complete({
      ref: TEMPLATE,
      argument: { name: 'path', value: 'many/' },
    });
    expect(completion.values).toHaveLength(100);
    expect(completion.hasMore).toBe(true);
  });

  test('prompts, their arguments and the completion of these', async () => {
    const { prompts } = await client().listPrompts();
    expect(
      prompts.map(({ name, arguments: fields }) => [name, fields!.map((each) => [each.name, each.required])]),
    ).toEqual([
      [
        'answer_from_documents',
        [
          ['question', true],
          ['collection', false],
        ],
      ],
      [
        'find_contradictions',
        [
          ['topic', true],
          ['collection', false],
        ],
      ],
    ]);
    for (const { name } of prompts) {
      const argument = { name: 'collection', value: 'no' };
      const { completion } = await client().complete({ ref: { type: 'ref/prompt', name }, argument });
      expect(completion.values).toEqual(['notes']);
    }
  });

  test('answer_from_documents: instruction, numbered passages, question', async () => {
    const text = await prompt('answer_from_documents', { question: ' how do I rotate a token? ' });
    expect(text).toMatch(/^Answer the question from the numbered passages below, and from nothing else\./);
    expect(text).toContain('[1] notes/guide/tokens.md:5-11  Tokens');
    expect(text).toMatch(/\n\nQuestion: how do I rotate a token\?$/);
  });

  test('find_contradictions: passages of one collection, and the topic', async () => {
    const text = await prompt('find_contradictions', {
      topic: 'snapshots of the database',
      collection: 'notes',
    });
    expect(text).toMatch(/^Find contradictions between the numbered passages below\./);
    expect(text).toContain('notes/backup.md:1-3');
    expect(text).toMatch(/\n\nTopic: snapshots of the database$/);
    await expect(prompt('find_contradictions', { topic: 'x', collection: 'nowhere' })).resolves.toMatch(
      /nowhere/,
    );
  });

  test('where no passage is sure enough, a prompt says that there is nothing to answer from', async () => {
    const question = 'who won the chess tournament in Reykjavik';
    const text = await prompt('answer_from_documents', { question });
    expect(text).toMatch(
      /^No passage of the documents is sure enough[^\n]*\n[^\n]*do not answer from memory\./,
    );
    expect(text).not.toContain('numbered passages');
    expect(text).toMatch(/\n\nQuestion: who won the chess tournament in Reykjavik$/);
    expect(await prompt('find_contradictions', { topic: question })).toMatch(/^No passage .*say so/);
  });

  test.each([
    [
      { question: 'tokens', colection: 'notes' },
      /unknown field colection \(nearest: collection\)\. Fields of answer/,
    ],
    [
      { question: 'x'.repeat(17_000) },
      /^[^.]*question: it is longer than 16,000 characters\. Use fewer words\.$/,
    ],
    [{}, /question is missing\. Fields of answer/],
  ])('wrong arguments of a prompt are named, with what to do', async (fields, message) => {
    await expect(prompt('answer_from_documents', fields as Record<string, string>)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(message),
    });
  });

  async function firstCursor(): Promise<string> {
    const answer = await client().request({ method: 'resources/list', params: {} });
    expect(answer.resources).toHaveLength(200);
    return answer.nextCursor!;
  }

  async function prompt(name: string, fields: Record<string, string>): Promise<string> {
    const { messages } = await client().getPrompt({ name, arguments: fields });
    expect(messages.map(({ role }) => role)).toEqual(['user']);
    return (messages[0]!.content as { readonly text: string }).text;
  }
});

/** All is indexed, vectors included. */
async function ready(): Promise<void> {
  for (;;) {
    const answer = await served.get('/api/status');
    const { index } = (await answer.json()) as { index: { documents: number; stale: boolean } };
    if (index.documents === Object.keys(FILES).length && !index.stale) return;
    await sleep(50);
  }
}

test('a URI says which document, and nothing else does', () => {
  const paths = ['a.md', 'ä/b c.md', '100%.md', 'a#b?c.md', 'x:3-4.md', "o'neil, (1).md", '日本.md'];
  for (const path of paths) {
    const uri = documentUri({ collection: 'my notes', path });
    expect(documentOf(new URL(uri).href)).toBe(`my notes/${path}`);
  }
  for (const uri of [
    'docfuse://',
    'docfuse:///a.md',
    'docfuse://notes/',
    'docfuse://notes/%',
    'x://notes/a.md',
  ]) {
    expect(documentOf(uri)).toBeUndefined();
  }
});

test('a completion in a collection of any size looks at a few thousand documents', async () => {
  let asked = 0;
  const endless = async () => ({ documents: [{ path: `${asked++}.md` }], total: 1e9, next_cursor: 'on' });
  expect(await completePath(endless as unknown as RunOperation, '3')).toEqual(['3.md']);
  expect(asked).toBe(5);
});
