/** The built site as files, without a browser. */
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { headingAnchors } from '../house/documents/links.ts';
import { builtSite, readPages } from './built-site.ts';

const root = join(import.meta.dirname, '../..');

describe('the pages of the site', () => {
  let folder: string;
  let pages: Map<string, string>;
  beforeAll(async () => {
    folder = await builtSite();
    pages = await readPages(folder);
  });

  const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found]) => found ?? '');
  const anchorsOf = (path: string): string[] => all(pages.get(path) ?? '', /\sid="([^"]*)"/g);

  test('[SITE-1] every document has a page that its group of readers finds', () => {
    const menu = all(pages.get('index.html')!, /<nav[^]*?(<h2>[^]*)<\/nav>/g).join('');
    expect(all(menu, /<h2>([^<]*)<\/h2>/g)).toEqual(['Use it', 'Build on it', 'Integrate', 'Run it', 'Understand it']);
    for (const path of ['worker', 'lead', 'package', 'react', 'integrators', 'operations', 'changelog']) {
      expect(menu).toContain(`href="${path}.html"`);
    }
    expect(pages.size).toBeGreaterThan(100);
    expect(pages.get('decisions/index.html')).toContain('href="0001-aggregates-not-rows.html"');
    expect(pages.get('spec/index.html')).toContain('href="push.html"');
  });

  test('[SITE-2] every link and picture leads to a file of the site, and to an anchor that it has', () => {
    const dead: string[] = [];
    for (const [path, html] of pages) {
      for (const link of all(html, /\s(?:href|src|srcset)="([^"]*)"/g)) {
        if (/^https?:/.test(link)) continue;
        const [to = '', anchor] = link.split('#');
        const target = to === '' ? path : posix.join(posix.dirname(path), to);
        // The server has the reference of the API above the site.
        if (target === '../../docs') continue;
        if (!existsSync(join(folder, target))) dead.push(`${path}: ${link}`);
        else if (anchor && !anchorsOf(target).includes(decodeURIComponent(anchor))) dead.push(`${path}: ${link}`);
      }
    }
    expect(dead).toEqual([]);
    expect(pages.get('engine.html')).not.toContain('href="../client');
    expect(pages.get('index.html')).toContain('<span class="source" title="In the repository: client/client.ts">');
  });

  test('[SITE-3] a heading has the anchor that it has on GitHub, and each id stands once', () => {
    for (const [source, path] of [
      ['docs/operations.md', 'operations.html'],
      ['docs/engine.md', 'engine.html'],
      ['CHANGELOG.md', 'changelog.html'],
    ] as const) {
      const anchors = headingAnchors(readFileSync(join(root, source), 'utf8'));
      expect(anchorsOf(path).filter((id) => !id.startsWith('site-'))).toEqual(anchors);
    }
    for (const path of pages.keys()) expect(new Set(anchorsOf(path)).size).toBe(anchorsOf(path).length);
  });

  test('[SITE-4] no page has an inline script or style, or loads anything from another host', () => {
    for (const [path, html] of pages) {
      const tags = html.replaceAll(/>[^<]*/g, '>');
      expect([path, tags]).toEqual([
        path,
        expect.not.stringMatching(
          /<script(?! src="[\w./-]+" defer>)|<style|\sstyle=|\son\w+=|\ssrc(?:set)?="(?:https?:)?\/\//,
        ),
      ]);
    }
    expect(readFileSync(join(folder, 'site.css'), 'utf8')).not.toMatch(/url\(|@import/);
  });

  test('[SITE-5] no page names a place of the machine that built it', () => {
    for (const [path, html] of pages) expect([path, html.includes(root)]).toEqual([path, false]);
  });
});
