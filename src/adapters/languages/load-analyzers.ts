/** Loads what the languages of some collections need, and of other languages nothing. */
import { type Analyzers, chooseAnalyzers } from '../../core/text/analyzer.ts';
import type { LanguageCode } from '../../core/text/languages.ts';
import { loadAnalyzer } from './load-analyzer.ts';

/** @param collections each by its name */
export async function loadAnalyzers(
  collections: readonly { readonly name: string; readonly language: LanguageCode }[],
): Promise<Analyzers> {
  const languages = [...new Set(collections.map(({ language }) => language))];
  const loaded = await Promise.all(languages.map(async (each) => [each, await loadAnalyzer(each)] as const));
  const analyzers = new Map(loaded);
  return chooseAnalyzers(new Map(collections.map(({ name, language }) => [name, analyzers.get(language)!])));
}
