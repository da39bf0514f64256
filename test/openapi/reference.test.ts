import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Document } from '../../server/openapi/document.ts';
import { html, inline, markdown } from '../../server/openapi/reference/html.ts';
import { placesOf } from '../../server/openapi/reference/shapes.ts';
import { problemKinds } from '../../shared/protocol/problem.ts';
import { testServer, type TestServer } from '../device/test-server.ts';

describe('the reference', () => {
  let server: TestServer;
  let page: string;
  beforeAll(async () => {
    server = await testServer();
    page = await (await fetch(`${server.url}/docs`)).text();
  });
  afterAll(() => server.remove());

  const all = (pattern: RegExp): string[] => [...page.matchAll(pattern)].map(([, found]) => found ?? '');

  test('[OPENAPI-8] it needs nothing but itself and its style: no script, no inline style, no other host', async () => {
    expect(page).not.toMatch(/<script|<style|\sstyle=|\son\w+=|javascript:/i);
    expect(all(/<(?:link|img|iframe|object|source)[^>]*(?:href|src)="([^"]*)"/g)).toEqual(['/docs/style.css']);
    const style = await fetch(`${server.url}/docs/style.css`);
    expect(style.headers.get('Content-Type')).toBe('text/css; charset=utf-8');
    expect(await style.text()).not.toMatch(/url\(|@import/);
  });

  test('[OPENAPI-9] each problem code, each operation and the deprecation has its anchor', async () => {
    const document = (await (await fetch(`${server.url}/api/v1/openapi.json`)).json()) as Document;
    const ids = all(/\sid="([^"]*)"/g);
    const wanted = placesOf(document).map(({ operation }) => operation.operationId);
    expect(ids).toEqual(expect.arrayContaining([...Object.keys(problemKinds), ...wanted, 'value_add']));
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('[OPENAPI-12] every link of the page leads somewhere', async () => {
    const ids = all(/\sid="([^"]*)"/g);
    expect(all(/href="#([^"]*)"/g).filter((id) => !ids.includes(id))).toEqual([]);
    for (const path of new Set(all(/href="(\/[^"]*)"/g))) expect((await fetch(server.url + path)).status).toBe(200);
  });

  test('[OPENAPI-14] each operation shows a curl and an answer', () => {
    const operations = page.split('<article class="operation"').slice(1);
    const without = operations.filter((text) => !/curl /.test(text) || !/>Answers</.test(text));
    expect(without).toEqual([]);
  });

  test('[OPENAPI-9] it can be cached and asked for again by its ETag', async () => {
    const etag = (await fetch(`${server.url}/docs`)).headers.get('ETag') ?? '';
    const again = await fetch(`${server.url}/docs`, { headers: { 'If-None-Match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect((await fetch(`${server.url}/docs`, { method: 'HEAD' })).status).toBe(200);
  });

  test('[OPENAPI-15] what is put into the page is escaped', () => {
    expect(html`<p title="${'"'}">${'<b> & '}${[html`<i>${1}</i>`]}</p>`.text).toBe(
      '<p title="&quot;">&lt;b&gt; &amp; <i>1</i></p>',
    );
    expect(inline('`<a>` **b**').text).toBe('<code>&lt;a&gt;</code> <strong>b</strong>');
    expect(markdown('one\n\n- two\n- three').text.replaceAll(/\s+/g, '')).toBe(
      '<p>one</p><ul><li>two</li><li>three</li></ul>',
    );
  });
});
