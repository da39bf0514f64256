import { useLayoutEffect, useState } from 'preact/hooks';
import type { phoneTexts } from '../../text/phone.ts';

export type MapFilter = keyof typeof phoneTexts.maps.filters;

/** The list of maps as a person left it. The list looks like this again when the person comes back. */
const left: { query: string; filter: MapFilter; scrolledPx: number } = { query: '', filter: 'all', scrolledPx: 0 };

/** Keeps search, filter and scroll position of the list of maps while the app shows another screen. */
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
