import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiDocument } from '../../server/openapi/document.ts';
import { html, inlineMarkdown } from '../../server/openapi/reference/html.ts';
import { scalarFile } from '../../server/openapi/reference/page.ts';
import { allProblemKinds } from '../../shared/protocol/problems/all-problems.ts';
import { testServer, type TestServer } from '../device/test-server.ts';

describe('the reference', () => {
  let server: TestServer;
  let page: string;
  beforeAll(async () => {
    server = await testServer();
    page = await (await fetch(`${server.url}/docs`)).text();
  });
  afterAll(() => server.remove());

  const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found]) => found ?? '');
  const policyOf = async (path: string): Promise<string> =>
    (await fetch(server.url + path)).headers.get('Content-Security-Policy') ?? '';

  test('[OPENAPI-8] it names files of the server alone', async () => {
    const loaded = all(page, /<(?:link|script|img|iframe|object|source)[^>]*(?:href|src)="([^"]*)"/g);
    expect(loaded).toEqual(['/docs/reference.css', '/docs/scalar.js', '/docs/start.js']);
    const types = await Promise.all(
      loaded.map(async (path) => (await fetch(server.url + path)).headers.get('Content-Type')),
    );
    expect(types).toEqual(['text/css', 'text/javascript', 'text/javascript'].map((type) => `${type}; charset=utf-8`));
    expect(await (await fetch(`${server.url}/docs/reference.css`)).text()).not.toMatch(/url\(|@import/);
  });

  test('[OPENAPI-16] its policy lets in no other host and no inlineMarkdown script, and it has none', async () => {
    const policy = await policyOf('/docs');
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
    expect(page).not.toMatch(/<script>|<style|\sstyle=|\son\w+=|javascript:/i);
  });

  test('[OPENAPI-17] no other address allows inlineMarkdown styles', async () => {
    expect(await policyOf('/docs')).toContain("style-src 'self' 'unsafe-inline'");
    for (const path of ['/', '/api/v1/openapi.json', '/docs/scalar.js', '/healthz', '/nowhere']) {
      expect([path, await policyOf(path)]).toEqual([path, expect.not.stringContaining('unsafe')]);
    }
  });

  test('[OPENAPI-19] its renderer is the published file, compressed or not', async () => {
    for (const encoding of ['gzip', 'identity']) {
      const response = await fetch(`${server.url}/docs/scalar.js`, { headers: { 'Accept-Encoding': encoding } });
      expect(response.headers.get('Content-Encoding') ?? 'identity').toBe(encoding);
      expect(Buffer.from(await response.arrayBuffer()).equals(await readFile(scalarFile))).toBe(true);
    }
  });

  test('[OPENAPI-9] each problem code and the deprecation has its anchor, once', () => {
    const ids = all(page, /\sid="([^"]*)"/g);
    expect(ids).toEqual(expect.arrayContaining([...Object.keys(allProblemKinds), 'value_add']));
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('[OPENAPI-12] every link of the page and of the introduction leads somewhere', async () => {
    const document = (await (await fetch(`${server.url}/api/v1/openapi.json`)).json()) as ApiDocument;
    const introduced = all(document.info.description, /\]\(([^)]*)\)/g);
    expect(introduced).toEqual(Object.keys(allProblemKinds).map((code) => `/docs#${code}`));
    const ids = all(page, /\sid="([^"]*)"/g);
    for (const link of [...introduced, ...all(page, /<a [^>]*href="([^"]*)"/g)]) {
      const [path, id] = link.split('#');
      if (path) expect((await fetch(server.url + path)).status).toBe(200);
      if (id !== undefined) expect(ids).toContain(id);
    }
  });

  test('[OPENAPI-9] it can be cached and asked for again by its ETag, an encoding each', async () => {
    const etags = new Set<string>();
    for (const encoding of ['gzip', 'identity']) {
      const headers = { 'Accept-Encoding': encoding };
      const first = await fetch(`${server.url}/docs`, { headers });
      expect(first.headers.get('Vary')).toContain('Accept-Encoding');
      const etag = first.headers.get('ETag') ?? '';
      etags.add(etag);
      const again = await fetch(`${server.url}/docs`, { headers: { ...headers, 'If-None-Match': etag } });
      expect([again.status, await again.text()]).toEqual([304, '']);
      expect((await fetch(`${server.url}/docs`, { method: 'HEAD', headers })).status).toBe(200);
    }
    expect(etags.size).toBe(2);
  });

  test('[OPENAPI-15] what the server puts into the page is escaped', () => {
    expect(html`<p title="${'"'}">${'<b> & '}${[html`<i>${1}</i>`]}</p>`.text).toBe(
      '<p title="&quot;">&lt;b&gt; &amp; <i>1</i></p>',
    );
    expect(inlineMarkdown('`<a>` **b**').text).toBe('<code>&lt;a&gt;</code> <strong>b</strong>');
  });
});
