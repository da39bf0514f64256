import { useLayoutEffect, useState } from 'preact/hooks';
import type { phoneTexts } from '../../text/phone.ts';

export type MapFilter = keyof typeof phoneTexts.maps.filters;

/** How a person left the list of maps. The list looks like this when the person comes back. */
const left: { query: string; filter: MapFilter; scrolledPx: number } = { query: '', filter: 'all', scrolledPx: 0 };

/** Keeps the search, the filter and the scroll position while other screens are shown. */
export function useKeptList({ isShown }: { isShown: boolean }) {
  const [query, setQuery] = useState(left.query);
  const [filter, setFilter] = useState(left.filter);
  useLayoutEffect(() => {
    Object.assign(left, { query, filter });
  }, [query, filter]);
  useLayoutEffect(() => {
    if (!isShown) return undefined;
    if (left.scrolledPx > 0) scrollTo(0, left.scrolledPx);
    const keep = () => (left.scrolledPx = scrollY);
    addEventListener('scroll', keep);
    return () => removeEventListener('scroll', keep);
  }, [isShown]);
  return { query, setQuery, filter, setFilter };
}
