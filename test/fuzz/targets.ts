/** Every fuzz target. */
import { configFileTarget, environmentTarget, flagsTarget } from './configuration-targets.ts';
import { chunkerTarget, frontMatterTarget, linksTarget, markdownTarget } from './document-targets.ts';
import { commitsTarget, decodeTarget, globsTarget, judgedFilesTarget } from './file-targets.ts';
import type { FuzzTarget } from './fuzz-target.ts';
import { growthTarget } from './growth-target.ts';
import { httpTarget } from './http-target.ts';
import { ignoreTarget } from './ignore-target.ts';
import { languagesTarget } from './language-target.ts';
import { mcpTarget } from './mcp-target.ts';
import { notesTarget } from './notes-target.ts';
import { oneLineTarget } from './one-line-target.ts';
import { tokensTarget } from './token-target.ts';
import { trustTarget } from './trust-target.ts';
import { identifiersTarget, proseTarget, queryTarget, snippetTarget } from './word-targets.ts';

export const targets: readonly FuzzTarget[] = [
  ...[markdownTarget, frontMatterTarget, linksTarget, chunkerTarget],
  ...[queryTarget, proseTarget, identifiersTarget, snippetTarget, tokensTarget],
  ...[configFileTarget, environmentTarget, flagsTarget, trustTarget, notesTarget],
  ...[ignoreTarget, globsTarget, decodeTarget, commitsTarget, judgedFilesTarget, languagesTarget],
  ...[httpTarget, mcpTarget, oneLineTarget],
  growthTarget,
];
