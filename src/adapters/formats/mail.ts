/** Converts an e-mail to Markdown: subject, people, date, text, and the names of attached files. */
import PostalMime, { type Address } from 'postal-mime';
import type { Convert } from './converted.ts';
import { htmlToMarkdown } from './html.ts';

export const convert: Convert = async (bytes) => {
  const { subject, from, to = [], date, text, html, attachments } = await PostalMime.parse(bytes);
  const names = attachments.flatMap(({ filename }) => (filename ? [`- ${filename}`] : []));
  const parts = [
    subject && `# ${subject}`,
    to.length > 0 && `To: ${to.map(personOf).join(', ')}`,
    text?.trim() || htmlToMarkdown(html ?? ''),
    names.length > 0 && `Attached:\n\n${names.join('\n')}`,
  ];
  const markdown = `${parts.filter(Boolean).join('\n\n')}\n`;
  return { markdown, fields: { title: subject, author: from && personOf(from), date } };
};

function personOf({ name, address }: Pick<Address, 'name' | 'address'>): string {
  return name || address || '';
}
