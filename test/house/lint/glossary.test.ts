import { expect, test } from 'vitest';
import { avoidedNames, avoidedWords } from './glossary.ts';

const architecture = `## Words

| term   | meaning           | avoid            |
| ------ | ----------------- | ---------------- |
| outbox | waiting mutations | queue, \`pile\`  |
| epoch  | a \`history\`     |                  |

## What we refuse
| a | b | \`other\` |
`;

test('[HOUSE-21] the glossary avoids the words in code of its last column', () => {
  expect(avoidedWords(architecture)).toEqual(['pile']);
});

test.each([
  'const pileOf = 1;',
  'class OpenPile {}',
  'function take_pile() {}',
  'interface Pile {}',
  'class A { pile() {} }',
])('[HOUSE-21] %j declares a name that the glossary avoids', (source) => {
  expect(avoidedNames('a.ts', source, ['pile'])).toHaveLength(1);
});

test('[HOUSE-21] a word inside another word, a text and a comment are no names', () => {
  expect(avoidedNames('a.ts', "const compiled = 'pile'; // pile", ['pile'])).toEqual([]);
});
