/** Routes by the path of the address. Links are real `<a href>` elements, so that people can open and copy them. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { BehaviorSubject } from 'rxjs';

/**
 * The prefix of all addresses of this page: '/desk' on a desk, '' on a phone and a watch. The paths in the code do not
 * have this prefix.
 */
let basePath = '';

const currentPath = (): string => {
  const { pathname } = location;
  return basePath !== '' && pathname.startsWith(basePath) ? pathname.slice(basePath.length) || '/' : pathname;
};

const path$ = new BehaviorSubject(globalThis.location?.pathname ?? '/');

/** Must run before the first render. */
export function setBasePath(base: string): void {
  basePath = base;
  path$.next(currentPath());
}

/** Returns the address of a path: `/maps` is `/desk/maps` on a desk. */
export const addressOf = (path: string): string => (path === '/' && basePath !== '' ? basePath : basePath + path);

/** Counts the navigations since the page loaded. A screen's heading takes the focus only after a navigation. */
export let navigationCount = 0;

globalThis.addEventListener?.('popstate', () => {
  const dialog = document.querySelector<HTMLDialogElement>('dialog[open]');
  if (dialog) {
    // Back closes the dialog and leaves the screen as it is.
    history.pushState(null, '', path$.value);
    dialog.dispatchEvent(new Event('cancel'));
    return dialog.close();
  }
  navigationCount++;
  path$.next(currentPath());
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
  history[replace ? 'replaceState' : 'pushState'](null, '', addressOf(to));
  navigationCount++;
  scrollTo(0, 0);
  path$.next(currentPath());
}

/** `matchPath('/maps/:id', '/maps/7')` → `{ id: '7' }`; undefined if the path does not match. */
export function matchPath<Pattern extends string>(pattern: Pattern, path: string): PathParams<Pattern> | undefined {
  const segments = path.split('/');
  const expected = pattern.split('/');
  if (segments.length !== expected.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const name = expected[index] ?? '';
    const value = name.startsWith(':') && segment !== '' ? decodePercent(segment) : undefined;
    if (value !== undefined) params[name.slice(1)] = value;
    else if (name !== segment) return undefined;
  }
  return params as PathParams<Pattern>;
}

/** `PathParams<'/maps/:mapId/runs/:runId'>` is `{ mapId: string; runId: string }`. */
type PathParams<Pattern extends string> = Pattern extends `${string}:${infer Name}/${infer Rest}`
  ? Record<Name, string> & PathParams<Rest>
  : Pattern extends `${string}:${infer Name}`
    ? Record<Name, string>
    : unknown;

/** Decodes percent-encoded UTF-8; undefined if the text is invalid, such as an incomplete address. */
export function decodePercent(text: string): string | undefined {
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
    <a href={addressOf(href)} onClick={follow} {...rest}>
      {children}
    </a>
  );
}
