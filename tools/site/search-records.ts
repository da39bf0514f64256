/** Makes the records that the search finds: one for each part of a page, from one heading to the next. */
import type { SearchRecord } from './browser/search-options.ts';

/** Splits the HTML of a page at its headings. What stands before and below its title is one record. */
export function searchRecords(page: { path: string; title: string }, content: string): SearchRecord[] {
  const records = new Map<string, SearchRecord>();
  let hasTitle = false;
  for (const part of content.split(/(?=<h[1-3] id=")/)) {
    const [, level, anchor = '', heading = ''] = /^<h([1-3]) id="([^"]*)">([^]*?)<\/h/.exec(part) ?? [];
    const text = plainText(part.replace(/^<h[1-3][^]*?<\/h[1-3]>/, ''));
    if (heading === '' && text === '') continue;
    const isTitle: boolean = level === '1' && !hasTitle;
    hasTitle ||= isTitle;
    const isPage = level === undefined || isTitle;
    const id = isPage ? page.path : `${page.path}#${anchor}`;
    const earlier = records.get(id)?.text ?? '';
    const words = [earlier, text].filter((some) => some !== '').join(' ');
    records.set(id, { id, page: page.title, heading: isPage ? '' : plainText(heading), text: words });
  }
  return [...records.values()];
}

/**
 * Returns a script, since a page that is opened from a disk may load scripts and no data. The page indexes the records,
 * which takes no longer than loading a finished index of twice the size.
 */
export const searchRecordsScript = (records: readonly SearchRecord[]): string =>
  `globalThis.siteRecords=${JSON.stringify(records)};
`;

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

const plainText = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity]!)
    .replaceAll(/\s+/g, ' ')
    .trim();
