/** Estimated tokens against the numbers that the tokenizer of multilingual-e5-small counts. */
import { expect, test } from 'vitest';
import { estimateTokens } from '../../../src/engine/sync/estimate-tokens.ts';

const COUNTED: Readonly<Record<string, readonly [string, number]>> = {
  English: [
    'The keeper lights the lantern when the evening comes over the sea, and puts it out again at sunrise. Ships that leave the harbour before dawn can see it from forty miles away.',
    45,
  ],
  German: [
    'Der Teig wird zehn Minuten lang geknetet und ruht danach eine ganze Stunde in der Schüssel, bevor er geformt und gebacken wird.',
    34,
  ],
  code: [
    '```ts\nconst found = items.filter((item) => item.size > MAX_SIZE);\nreturn found.map(({ name }) => name + MARKDOWN);\n```',
    47,
  ],
  Chinese: [
    '面包在桌子上放了一整天，晚上孩子们回家以后才把它切开。制作面团时，需要把面粉、水和酵母混合在一起，然后揉十分钟。',
    42,
  ],
  Japanese: [
    'パン生地は十分間こねてから、ボールの中で一時間ほど休ませます。そのあと形を整えて、二百度のオーブンで焼きます。',
    37,
  ],
  Korean: [
    '등대지기는 저녁이 되면 등불을 켜고, 해가 뜨면 다시 끕니다. 새벽에 항구를 떠나는 배들은 멀리서도 그 빛을 볼 수 있습니다.',
    43,
  ],
  Russian: [
    'Смотритель зажигает фонарь, когда вечер приходит с моря, и гасит его на рассвете. Корабли, которые выходят из гавани до восхода солнца, видят его издалека.',
    46,
  ],
  Greek: [
    'Το ψωμί είναι στο τραπέζι όλη μέρα, και το βράδυ τα παιδιά το κόβουν όταν γυρίζουν στο σπίτι από το σχολείο.',
    29,
  ],
  Arabic: ['يشعل الحارس الفانوس عندما يأتي المساء من البحر، ويطفئه مرة أخرى عند شروق الشمس كل يوم.', 27],
  Hindi: ['रखवाला शाम को समुद्र के किनारे लालटेन जलाता है और सुबह सूरज निकलने पर उसे बुझा देता है।', 27],
};

test.each(Object.entries(COUNTED))('%s', (_, [text, counted]) => {
  expect(estimateTokens(text) / counted).toBeGreaterThan(0.75);
  expect(estimateTokens(text) / counted).toBeLessThan(1.3);
});
