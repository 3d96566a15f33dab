/** Whether a reader sees anything of a piece of Markdown. */
import { withoutLinkDefinitions } from './link-definitions.ts';
import { plainMarkdown } from './plain-markdown.ts';

/** False for blank text, link definitions, rules, comments, tags, and images without alternative text. */
export function showsText(text: string): boolean {
  return plainMarkdown(withoutLinkDefinitions(text)).text.trim() !== '';
}
