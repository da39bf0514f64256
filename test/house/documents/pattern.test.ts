import { describe, expect, test } from 'vitest';
import { bindingsOf, containsText, outputFits, fitsJson, fitsText } from './pattern.ts';

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

describe('[HOUSE-6] a pattern', () => {
  const id = '01a1fc69-d7f9-71cc-87c5-bdeac5a21ee6';
  const other = '018f4d2a-0000-7000-8000-00000000000a';

  test('takes any id, time and code for one of its shape, and nothing else', () => {
    const time = '2026-11-21T04:42:37.435Z';
    expect(fitsJson(`{ "id": "${id}", "at": "${time}" }`, `{"id":"${other}","at":"2027-01-01T00:00:00.000Z"}`)).toBe(
      true,
    );
    expect(fitsText(`ETag: "${id}-1"`, `ETag: "${other}-1"`)).toBe(true);
    expect(fitsText(`ETag: "${id}-1"`, `ETag: "${other}-2"`)).toBe(false);
    expect(fitsText('code F6CA-9MSK', 'code 0123-ABCD')).toBe(true);
    expect(fitsText('code F6CA-9MSK', 'code 0123-ABCU')).toBe(false);
    expect(fitsJson(`{ "id": "${id}" }`, '{"id":"7"}')).toBe(false);
    expect(fitsJson(`{ "id": "${id}" }`, `{"id":"${other.replace('-7', '-4')}x"}`)).toBe(false);
    expect(fitsJson(`{ "at": "${time}" }`, '{"at":"2027-01-01"}')).toBe(false);
  });

  test('wants the same one where the document repeats it, and the one that a command names', () => {
    const pattern = `{ "a": "${id}", "b": "${id}" }`;
    expect(fitsJson(pattern, `{"a":"${other}","b":"${other}"}`)).toBe(true);
    expect(fitsJson(pattern, `{"a":"${other}","b":"${id}"}`)).toBe(false);
    expect(fitsText(id, other, bindingsOf(`curl /maps/${id}`))).toBe(false);
  });

  test('leaves out values, fields, elements and the rest of a string, each at its place', () => {
    expect(fitsJson('{ "a": …, "b": 1 }', '{"a":{"x":[1]},"b":1}')).toBe(true);
    expect(fitsJson('{ "a": … }', '{"a":1,"b":2}')).toBe(false);
    expect(fitsJson('{ "a": 1, … }', '{"a":1,"b":2}')).toBe(true);
    expect(fitsJson('{ "b": 1, "a": 1, … }', '{"a":1,"b":1}')).toBe(false);
    expect(fitsJson('[1, …, 9]', '[1,2,3,9]')).toBe(true);
    expect(fitsJson('[1, …, 9]', '[1,2,3]')).toBe(false);
    expect(fitsJson('{ "t": "gd_…" }', '{"t":"gd_x"}')).toBe(true);
    expect(fitsJson('{ "t": "gd_…" }', '{"t":"gk_x"}')).toBe(false);
  });

  test('of a response is its head, line by line, and its body', () => {
    const response = 'HTTP/1.1 200 OK\r\nETag: "1-3"\r\nDate: now\r\n\r\n{"a":1}';
    const http = (pattern: string) => outputFits({ language: 'http', pattern }, response);
    expect(http('HTTP/1.1 200 OK\n…\n\n{ "a": 1 }')).toBe(true);
    expect(http('HTTP/1.1 200 OK\nETag: "1-3"\n…\n\n…')).toBe(true);
    expect(http('HTTP/1.1 201 Created\n…\n\n{ "a": 1 }')).toBe(false);
    expect(http('HTTP/1.1 200 OK\n…\n\n{ "a": 2 }')).toBe(false);
    expect(http('HTTP/1.1 200 OK\n…')).toBe(false);
  });
});
