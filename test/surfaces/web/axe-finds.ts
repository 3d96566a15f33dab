/** Accessibility faults of a page. */
import type { Page } from 'playwright-core';

/** Returns what axe finds. Its script must be in the page. */
export function axeFinds(page: Page): Promise<unknown> {
  return page.evaluate(
    `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then(({ violations }) =>
      violations.map(({ id, nodes }) => [id, ...nodes.map(({ html, failureSummary }) => html + failureSummary)]))`,
  );
}
