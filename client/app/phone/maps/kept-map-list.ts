import { useLayoutEffect, useState } from 'preact/hooks';
import type { phoneTexts } from '../../text/phone.ts';

export type MapFilter = keyof typeof phoneTexts.maps.filters;

/** The list of maps as a person left it. The list looks like this again when the person comes back. */
const lastMapListView: { query: string; filter: MapFilter; scrolledPx: number } = {
  query: '',
  filter: 'all',
  scrolledPx: 0,
};

/** Keeps search, filter and scroll position of the list of maps while the app shows another screen. */
export function useKeptMapList({ isShown }: { isShown: boolean }) {
  const [query, setQuery] = useState(lastMapListView.query);
  const [filter, setFilter] = useState(lastMapListView.filter);
  useLayoutEffect(() => {
    Object.assign(lastMapListView, { query, filter });
  }, [query, filter]);
  useLayoutEffect(() => {
    if (!isShown) return undefined;
    if (lastMapListView.scrolledPx > 0) scrollTo(0, lastMapListView.scrolledPx);
    const keep = () => (lastMapListView.scrolledPx = scrollY);
    addEventListener('scroll', keep);
    return () => removeEventListener('scroll', keep);
  }, [isShown]);
  return { query, setQuery, filter, setFilter };
}
