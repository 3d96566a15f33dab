/** Compounds and their parts: what is looked up for a word, and which queries stay as they are. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadAnalyzer } from '../../../src/adapters/languages/load-analyzers.ts';
import { expandCompounds } from '../../../src/core/query/expand-compounds.ts';
import { parseQuery } from '../../../src/core/query/parse.ts';
import { type Analyzer, AUTO_ANALYZER } from '../../../src/core/text/analyzer.ts';

const [de, nl, sv, fr] = await Promise.all((['de', 'nl', 'sv', 'fr'] as const).map(loadAnalyzer));

/** Expands a query over a collection with these words, each in `count` passages. */
function expand(query: string, analyzer: Analyzer, words: string, rare = '') {
  const counts = new Map<string, number>();
  const fill = (text: string, count: number) =>
    analyzer.tokenize(text, (term) => void counts.set(term, count));
  fill(words, 9);
  fill(rare, 1);
  const facts = { countOf: (term: string) => counts.get(term) ?? 0, isStopWord: analyzer.isStopWord };
  return expandCompounds(parseQuery(query, [analyzer]), facts, [analyzer]).terms;
}

const addedTo = (...given: Parameters<typeof expand>) =>
  expand(...given).flatMap(({ term, weight, standsFor }) => (standsFor ? [`${term} ${weight ?? 1}`] : []));

describe('the parts of a compound', () => {
  it.each([
    ['Installationsmedium', de!, 'Installation Medium', ['installation 0.8', 'medium 0.8']],
    ['Datenbankverbindungen', de!, 'Daten Bank Datenbank Verbindung', ['datenbank 0.8', 'verbind 0.8']],
    ['Tabellenzellbereich', de!, 'Tabelle Zelle Bereich', ['tabell 0.8', 'zell 0.8', 'bereich 0.8']],
    ['Wörterbuch', de!, 'Wort Buch', ['wort 0.8', 'buch 0.8']],
    ['installatiemedium', nl!, 'installatie medium', ['installatie 0.8', 'medium 0.8']],
    ['bestandsintegriteit', nl!, 'bestanden integriteit', ['bestand 0.8', 'integriteit 0.8']],
    ['säkerhetskopiering', sv!, 'säkerhet kopiering', ['saker 0.8', 'kopiering 0.8']],
    ['gatukorsning', sv!, 'gata korsning', ['gat 0.8', 'korsning 0.8']],
    // The rest is no word of the collection, is a stop word, or has two letters.
    ['Installationsmedium', de!, 'Installation', []],
    ['Hausdas', de!, 'Haus das', []],
    ['Hausei', de!, 'Haus Ei', []],
  ] as const)('%s', (word, analyzer, words, parts) => {
    expect(addedTo(word, analyzer, words).toSorted()).toEqual([...parts].sort());
  });

  it('are not looked up if they are rarer than the compound, as `para` and `meter`', () => {
    expect(addedTo('Parameter', de!, 'Parameter', 'para meter')).toEqual([]);
    expect(addedTo('Parameter', de!, 'para meter', 'Parameter')).toHaveLength(2);
  });

  it('are not looked up for prefixes, words in fields and numbers', () => {
    for (const query of ['Installationsmedi*', 'title:Installationsmedium', 'Installationsmedium2'])
      expect(addedTo(query, de!, 'Installation Medium')).toEqual([]);
  });
});

describe('compounds of the words of a query', () => {
  it.each([
    ['Trennung von Silben', de!, 'Silbentrennung', ['silbentrenn 1']],
    ['Ergänzung von Wörtern', de!, 'Wortergänzung', ['worterganz 1']],
    ['Seite mit Umbruch', de!, 'Seitenumbruch', ['seitenumbruch 1']],
    ['lijsten sorteren', nl!, 'sorteerlijst', []],
    ['afbreking van woorden', nl!, 'woordafbreking', ['woordafbrek 1']],
    ['kopia för säkerhet', sv!, 'säkerhetskopia', ['sakerhetskopi 1']],
    ['eins zwei drei vier fünf sechs sieben Silbe Trennung', de!, 'Silbentrennung', []],
  ] as const)('%s', (query, analyzer, words, compounds) => {
    expect(addedTo(query, analyzer, words)).toEqual(compounds);
  });

  it('may have other linking elements than the compound of the query', () => {
    const [book] = expand('Adressenbuch', de!, 'Adresse Buch Adressbuch');
    expect(book).toMatchObject({ term: 'adressenbuch', forms: ['adressbuch'] });
  });
});

it('changes no query in other languages', () => {
  const word = fc.constantFrom(
    'frontmatter',
    'front',
    'matter',
    'Installationsmedium',
    'note',
    'path*',
    '"a b"',
  );
  fc.assert(
    fc.property(fc.array(word), fc.constantFrom(AUTO_ANALYZER, fr!), (words, analyzer) => {
      const query = parseQuery(words.join(' '), [analyzer]);
      const facts = { countOf: () => 9, isStopWord: () => false };
      expect(expandCompounds(query, facts, [analyzer])).toBe(query);
    }),
  );
});

it('keeps what was typed, and adds each term once', () => {
  const word = fc.constantFrom(
    'Silbentrennung',
    'Silben',
    'Trennung',
    'Adressenbuch',
    'Buch',
    '-Buch',
    '"Buch"',
  );
  fc.assert(
    fc.property(fc.array(word), (words) => {
      const query = parseQuery(words.join(' '), [de!]);
      const countOf = (term: string) => (term.length > 9 ? 1 : 9);
      const facts = { countOf, isStopWord: de!.isStopWord };
      const { terms, ...rest } = expandCompounds(query, facts, [de!]);
      const { terms: own, ...others } = query;
      expect(rest).toEqual(others);
      expect(terms.slice(0, own.length).map(({ forms: _, ...term }) => term)).toEqual(own);
      const all = terms.map(({ term }) => term);
      expect(new Set(all).size).toBe(all.length);
    }),
  );
});
