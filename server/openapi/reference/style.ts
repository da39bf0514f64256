import { readFileSync } from 'node:fs';

/** A file of its own, since the CSP allows no style in the page. */
export function referenceStyle(): string {
  return (style ??= readFileSync(new URL('style.css', import.meta.url), 'utf8'));
}

let style: string | undefined;
