/** The records that the build writes, and the options of the index that the page makes of them. */
import type { Options } from 'minisearch';

/** A part of a page. */
export interface SearchRecord {
  /** The address, relative to the root of the site. */
  id: string;
  page: string;
  /** Empty at the beginning of a page. */
  heading: string;
  text: string;
}

export const searchOptions: Options<SearchRecord> = {
  fields: ['page', 'heading', 'text'],
  storeFields: ['page', 'heading', 'text'],
  searchOptions: {
    boost: { heading: 4, page: 2 },
    combineWith: 'AND',
    // A promise or a decision is read after the guide that says how.
    boostDocument: (id: string) => (/^(?:spec|decisions)\//.test(id) ? 0.4 : 1),
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
  },
};
