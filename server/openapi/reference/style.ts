import { readFileSync } from 'node:fs';

/** In their order: what stands later goes before. */
const sheets = ['page.css', 'operation.css', 'contents.css'];

/** A file of its own, since the CSP allows no style in the page. */
export function referenceStyle(): string {
  return (style ??= sheets.map((name) => readFileSync(new URL(name, import.meta.url), 'utf8')).join('\n'));
}

let style: string | undefined;
