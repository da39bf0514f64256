/** How Markdown becomes HTML that needs no inline style and no inline script. */
import { linkInSite } from './links.ts';

type LinkOptions = Parameters<typeof linkInSite>[1];

/** The parts of a token of markdown-it that this file uses. */
interface Token {
  type: string;
  tag: string;
  content: string;
  children: Token[] | null;
  attrs: [name: string, value: string][] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

/** The parts of markdown-it, which Eleventy brings, that this file uses. */
export interface MarkdownIt {
  set(options: { html: boolean; linkify: boolean }): void;
  core: { ruler: { push(name: string, rule: (state: { tokens: Token[]; env: MarkdownData }) => void): void } };
  renderer: { rules: Record<string, (() => string) | undefined> };
}

/** The data of a page, which Eleventy passes to its Markdown. */
interface MarkdownData {
  links: LinkOptions;
}

export function setUpMarkdown(markdown: MarkdownIt): void {
  markdown.set({ html: true, linkify: false });
  markdown.core.ruler.push('site', ({ tokens, env }) => {
    nameHeadings(tokens);
    for (const token of tokens.flatMap((each) => [each, ...(each.children ?? [])])) {
      alignByClass(token);
      if (token.type.startsWith('html_')) token.content = withSiteLinks(token.content, env.links);
    }
    for (const { children } of tokens) if (children) linkWithinSite(children, env.links);
  });
  // A wide table scrolls by itself, also by keyboard.
  markdown.renderer.rules['table_open'] = () => '<div class="table" tabindex="0"><table>';
  markdown.renderer.rules['table_close'] = () => '</table></div>';
}

/** Headings get the anchors that GitHub gives them: a repeated one is numbered. */
function nameHeadings(tokens: Token[]): void {
  const seen = new Map<string, number>();
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue;
    const anchor = textOf(tokens[index + 1]!)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    token.attrSet('id', count === 0 ? anchor : `${anchor}-${count}`);
  }
}

const textOf = ({ children }: Token): string =>
  (children ?? [])
    .filter(({ type }) => type === 'text' || type === 'code_inline')
    .map(({ content }) => content)
    .join('');

/** Markdown-it aligns the cells of a table by an inline style, which the policy of the server forbids. */
function alignByClass(token: Token): void {
  const alignment = /text-align:(\w+)/.exec(token.attrGet('style') ?? '')?.[1];
  if (alignment === undefined) return;
  token.attrs = token.attrs!.filter(([name]) => name !== 'style');
  token.attrSet('class', alignment);
}

/** A link to a file that only the repository has becomes text, with the path in its title. */
function linkWithinSite(tokens: Token[], options: LinkOptions): void {
  let isOpen = false;
  for (const token of tokens) {
    const href = token.attrGet('href') ?? token.attrGet('src');
    if (token.type === 'link_open') isOpen = setTarget(token, 'href', linkInSite(href!, options), href!);
    else if (token.type === 'link_close' && !isOpen) token.tag = 'span';
    else if (token.type === 'image') token.attrSet('src', linkInSite(href!, options) ?? href!);
  }
}

function setTarget(token: Token, name: string, target: string | undefined, href: string): boolean {
  if (target !== undefined) {
    token.attrSet(name, target);
    return true;
  }
  token.tag = 'span';
  token.attrs = [
    ['class', 'source'],
    ['title', `In the repository: ${href.replace(/^(?:\.\.?\/)+/, '')}`],
  ];
  return false;
}

const withSiteLinks = (html: string, options: LinkOptions): string =>
  html.replaceAll(
    /\b(src|srcset|href)="([^"]+)"/g,
    (_all, name: string, href: string) => `${name}="${linkInSite(href, options) ?? href}"`,
  );
