/** A small vault for tests of the page. */

const many = Array.from({ length: 60 }, (_, number) => `Line ${number} about something else.\n`).join('\n');

export const NOTES = {
  'notes/guide/tokens.md': `---
tags: [auth, keys]
author: Ann Example
---
# Tokens

To rotate a token, press *Rotate* in the settings; see [[backup]].

## Expiry

A token expires after an hour. Then ask for a new one, as [Backups](../backup.md#nightly) and [the site](https://site.example/x) say.

${many}
## Revoking

Whoever has lost a laptop revokes its token on the security page at once.
`,
  'notes/backup.md':
    '---\ntags: [ops]\n---\n# Backups\n\n## Nightly\n\nA snapshot of the database is taken every night and kept for thirty days.\n\n| kept | days |\n| --- | --- |\n| snapshots | 30 |\n',
  'notes/bread.md': '# Bread\n\nFlour, water, salt. Knead the dough and let it rest overnight.\n',
  'notes/code.md': '# Code\n\n```ts\nexport function rotateToken(id: string) {}\n```\n',
  'notes/arabic.md': '# الرموز\n\nلتدوير الرمز اضغط على زر التدوير في الإعدادات.\n',
  'notes/copy/bread.md': '# Bread\n\nFlour, water, salt. Knead the dough and let it rest overnight.\n',
} as const;
