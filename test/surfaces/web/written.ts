/** A stream with an answer of a language model. The answer has everything that an answer can show. */

const ANSWER = {
  ...{ question: '', answered: true, model: 'tiny', notice: 'One thing more.' },
  answer: '**Rotate** `it` [1]:\n\n- [one](https://site.example/x)\n\n```\ncode\n```\n',
  citations: [
    {
      ...{ number: 1, cited: true, collection: 'notes', path: 'guide/tokens.md', start_line: 5, end_line: 9 },
      ...{ title: 'Tokens', heading_path: ['Tokens'], score: 1 },
    },
  ],
};

export const WRITTEN = {
  contentType: 'text/event-stream',
  body: [
    `event: text\ndata: ${JSON.stringify({ text: ANSWER.answer })}\n\n`,
    `event: answer\ndata: ${JSON.stringify(ANSWER)}\n\n`,
  ].join(''),
};
