import { expect, test } from 'vitest';
import { preferredLanguage } from './preferred-language.ts';

test.each([
  [undefined, 'en'],
  ['de', 'de'],
  ['DE-at,en;q=0.8', 'de'],
  ['en-US,en;q=0.9,de;q=0.8', 'en'],
  ['en;q=0.5, de;q=0.7', 'de'],
  ['fr-FR, de;q=0.8, en;q=0.7', 'de'],
  ['de;q=0, en', 'en'],
  ['fr', 'en'],
  ['*', 'en'],
  [';;,q=', 'en'],
])('[APP-353] a browser that accepts %s reads %s', (header, language) => {
  expect(preferredLanguage(['en', 'de'], header)).toBe(language);
});
