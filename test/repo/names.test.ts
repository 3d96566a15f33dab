/** Which names stand in one part of the sources alone: the others ask a port, and know nothing of what stands behind it. */
import { describe, expect, it } from 'vitest';
import { projectSources } from './project-files.ts';

interface Rule {
  readonly says: string;
  readonly pattern: RegExp;
  /** The part that may say the name. */
  readonly home: string;
  /** A file elsewhere that may say it, too. */
  readonly besides?: string;
  /** Breaks the rule. */
  readonly planted: string;
}

const RULES: readonly Rule[] = [
  {
    says: 'the database of an index',
    pattern: /sqlite|:memory:|\bPRAGMA\b|\bSELECT .* FROM\b/i,
    home: 'src/adapters/',
    planted: `const file = join(indexPath, 'index.sqlite');`,
  },
  {
    says: 'the inode of a file',
    pattern: /\bino\b/,
    home: 'src/adapters/',
    // It compares two paths of a folder, and no port of an index could tell it: a surface that attaches opens no index.
    besides: 'src/surfaces/attach/discovery-file.ts',
    planted: 'const isSame = a.ino === b.ino;',
  },
  {
    says: 'an embedding provider',
    pattern: /provider [!=]== '|=== 'local'|=== 'openai'/,
    home: 'src/engine/open-models.ts',
    planted: `const isFree = embedding.provider === 'local';`,
  },
];

describe.each(RULES)('$says is named in $home alone', ({ pattern, home, besides, planted }) => {
  it('in the project', () => {
    const strays = projectSources()
      .filter(({ path }) => path.startsWith('src/') && !path.startsWith(home) && path !== besides)
      .filter(({ source }) => pattern.test(source));
    expect(strays.map(({ path }) => path)).toEqual([]);
  });

  it('and a planted one is seen', () => {
    expect(pattern.test(planted)).toBe(true);
  });
});
