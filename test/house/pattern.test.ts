import { expect, test } from 'vitest';
import { containsText, fitsJson, fitsText } from './pattern.ts';

test('[HOUSE-6] a JSON pattern ignores white space outside strings, and … stands for anything', () => {
  expect(fitsJson('{ "a": "x y", "b": […], … }', '{"a":"x y","b":[1,2],"c":3}')).toBe(true);
  expect(fitsJson('{ "id": "…" }', '{"id":"0193"}')).toBe(true);
  expect(fitsJson('{ "a": "x y" }', '{"a":"xy"}')).toBe(false);
  expect(fitsJson('{ "a": 1 }', '{"a":1,"b":2}')).toBe(false);
  expect(fitsJson('{ "a.b": 1 }', '{"axb":1}')).toBe(false);
});

test('[HOUSE-6] a text pattern holds line by line', () => {
  expect(fitsText('a …\nb', 'a 17 s\nb\n')).toBe(true);
  expect(fitsText('a\n…\nd', 'a\nb\nc\nd')).toBe(true);
  expect(fitsText('a …', 'a 1\nb')).toBe(false);
  expect(containsText('listening on …', 'starting\nlistening on 8080\nmore')).toBe(true);
  expect(containsText('listening on …', 'not listening on 8080')).toBe(false);
});
