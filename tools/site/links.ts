/** Turns the links of a document, which lead through the repository, into links of the site. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, extname, join, posix } from 'node:path';
import { pageAt, type Page, type Site } from './pages.ts';

/** The path in the site of each file that is copied into it, by its path in the repository. */
export type Attachments = Map<string, string>;

/** The types of pictures, and of data that a document describes. */
const attachedTypes = ['.svg', '.webp', '.png', '.json', '.sql', '.ndjson'];

interface LinkOptions {
  root: string;
  site: Site;
  page: Page;
  /** Takes each file that a link of the document leads to. */
  attachments: Attachments;
}

/** Returns undefined for a file or a folder that is in the repository alone, such as a source. */
export function linkInSite(href: string, { root, site, page, attachments }: LinkOptions): string | undefined {
  if (/^[a-z][a-z+.-]*:/i.test(href) || href.startsWith('#')) return href;
  const [path = '', anchor] = href.split('#');
  const source = posix.normalize(posix.join(posix.dirname(page.source), decodeURI(path))).replace(/\/$/, '');
  const target = pageAt(site, source);
  if (target) return relativePath(page, target.path) + (anchor === undefined ? '' : `#${anchor}`);
  const file = join(root, source);
  if (!existsSync(file)) throw new Error(`${page.source} leads to ${href}, which does not exist.`);
  if (!attachedTypes.includes(extname(source)) || !statSync(file).isFile()) return undefined;
  if (!attachments.has(source)) attachments.set(source, attachmentPath(root, source));
  return relativePath(page, attachments.get(source)!);
}

/** Files of one name from several folders differ by the hash of their content. */
function attachmentPath(root: string, source: string): string {
  const hash = createHash('sha256')
    .update(readFileSync(join(root, source)))
    .digest('hex')
    .slice(0, 8);
  const name = basename(source, extname(source));
  return `files/${name}-${hash}${extname(source)}`;
}

/** A relative path works below any address, and from a disk. */
export const relativePath = (from: Page, to: string): string =>
  posix.relative(posix.join('/', posix.dirname(from.path)), `/${to}`);
