/** Where the app is: the path of the address. Links are plain `<a href>`s, so that they can be opened and copied. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { BehaviorSubject } from 'rxjs';

const path$ = new BehaviorSubject(globalThis.location?.pathname ?? '/');

/** How often the app went somewhere since it was opened: the first screen does not take the focus. */
export let travels = 0;

globalThis.addEventListener?.('popstate', () => {
  travels++;
  path$.next(location.pathname);
});

export function usePath(): string {
  const [path, setPath] = useState(path$.value);
  useEffect(() => {
    const subscription = path$.subscribe(setPath);
    return () => subscription.unsubscribe();
  }, []);
  return path;
}

export function navigate(to: string, { replace = false } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', to);
  travels++;
  scrollTo(0, 0);
  path$.next(location.pathname);
}

/** `matched('/maps/:id', '/maps/7')` → `{ id: '7' }`; undefined where it does not fit. */
export function matched(pattern: string, path: string): Record<string, string> | undefined {
  const words = path.split('/');
  const wanted = pattern.split('/');
  if (words.length !== wanted.length) return undefined;
  const found: Record<string, string> = {};
  for (const [index, want] of wanted.entries()) {
    const word = words[index]!;
    const isName = want.startsWith(':') && word !== '';
    const value = isName ? decoded(word) : undefined;
    if (value !== undefined) found[want.slice(1)] = value;
    else if (want !== word) return undefined;
  }
  return found;
}

/** undefined where it is no percent-encoding of UTF-8: people break addresses as they copy them. */
export function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

interface LinkProps extends Omit<JSX.IntrinsicElements['a'], 'href' | 'onClick' | 'role'> {
  href: string;
  children: ComponentChildren;
}

export function Link({ href, children, ...rest }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(href);
  };
  return (
    <a href={href} onClick={follow} {...rest}>
      {children}
    </a>
  );
}
