/** Finds relative links of the documents that lead nowhere. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Lists `document: link` for each link to a missing file, heading or line. */
export function deadLinks(root: string): string[] {
  return documentsOf(root).flatMap((document) =>
    linksOf(readFileSync(document, 'utf8'))
      .filter((link) => !targetExists(document, link))
      .map((link) => `${relative(root, document)}: ${link}`),
  );
}

/** The documents at the root and under docs/. */
function documentsOf(root: string): string[] {
  const docs = existsSync(join(root, 'docs'))
    ? readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    : [];
  return [...readdirSync(root), ...docs.map((name) => join('docs', name))]
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(root, name));
}

/** Inline `[text](link)` and reference `[text]: link`, except in code. */
function linksOf(markdown: string): string[] {
  const prose = markdown.replace(/^```[^]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');
  const links = [...prose.matchAll(/\]\(<?([^\s)>]+)>?(?: "[^"]*")?\)|^\[[^\]]+\]: (\S+)/gm)];
  return links.map(([, inline, reference]) => inline ?? reference ?? '').filter((link) => !/^[a-z]+:/.test(link));
}

function targetExists(document: string, link: string): boolean {
  const [path = '', anchor] = decodeURI(link).split('#');
  const target = path === '' ? document : join(dirname(document), path);
  if (!existsSync(target)) return false;
  if (anchor === undefined) return true;
  const text = readFileSync(target, 'utf8');
  if (target.endsWith('.md')) return headingAnchors(text).includes(anchor);
  const line = /^L(\d+)(?:-L(\d+))?$/.exec(anchor);
  return line !== null && Number(line[2] ?? line[1]) <= text.trimEnd().split('\n').length;
}

/** The anchors that GitHub gives to headings: a repeated one is numbered. */
export function headingAnchors(markdown: string): string[] {
  const seen = new Map<string, number>();
  const headings = [...markdown.replace(/^```[^]*?^```$/gm, '').matchAll(/^#{1,6} +(.*?)\s*$/gm)];
  return headings.map(([, heading = '']) => {
    const anchor = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
}
