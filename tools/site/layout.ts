/** The HTML around the text of a page. It has no inline script and no inline style. */
import { html, Markup } from '../../server/openapi/reference/html.ts';
import { relativePath } from './links.ts';
import type { Page, Site } from './pages.ts';

export function pageHtml(site: Site, page: Page, content: string): string {
  const to = (path: string) => relativePath(page, path);
  const title = page.source === 'README.md' ? 'Gemba' : `${page.title} · Gemba`;
  return html`<!doctype html>
    <html lang="en" data-root="${to('index.html').replace(/index\.html$/, '') || './'}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="stylesheet" href="${to('site.css')}" />
        <script src="${to('search.js')}" defer></script>
      </head>
      <body>
        <header>
          <a class="skip" href="#site-text">To the text</a>
          <a class="home" href="${to('index.html')}">Gemba</a>
          <search>
            <input
              id="site-search"
              type="search"
              placeholder="Search"
              aria-label="Search the documentation"
              autocomplete="off"
              spellcheck="false"
              role="combobox"
              aria-expanded="false"
              aria-controls="site-hits"
            />
            <div id="site-hits" role="listbox" aria-label="What was found" hidden></div>
          </search>
          <a class="menu" href="#site-menu">Menu</a>
        </header>
        <main id="site-text">${new Markup(content)}</main>
        <nav id="site-menu" aria-label="Documentation">
          ${site.groups.map(
            (group) =>
              html`<h2>${group.title}</h2>
                ${linksOf(site, group, { page, content })}`,
          )}
        </nav>
      </body>
    </html> `.text;
}

interface ShownPage {
  page: Page;
  content: string;
}

function linksOf({ pages }: Site, group: Site['groups'][number], { page, content }: ShownPage): Markup {
  const links = group.pages.map(({ source, label }) => {
    const isShown = source === page.listedAs;
    const current = isShown ? new Markup(` aria-current="${source === page.source ? 'page' : 'true'}"`) : undefined;
    const href = relativePath(page, pages.get(source)!.path);
    return html`<li><a href="${href}" ${current}>${label}</a>${isShown ? headingsOf(content) : undefined}</li>`;
  });
  const reference =
    group.title === 'Integrate' ? html`<li><a href="${referenceAddress(page)}">The API reference</a></li>` : undefined;
  return html`<ul>
    ${links}${reference}
  </ul>`;
}

/** The server has the site at `/docs/guide/`, and the reference of the API at `/docs`. */
const referenceAddress = ({ path }: Page): string => `${'../'.repeat(path.split('/').length + 1)}docs`;

/** The parts of the page that is shown. */
function headingsOf(content: string): Markup | undefined {
  const headings = [...content.matchAll(/<h2 id="([^"]*)">([^]*?)<\/h2>/g)];
  if (headings.length < 2) return undefined;
  const items = headings.map(
    ([, id, text]) => html`<li><a href="#${id}">${new Markup(text!.replaceAll(/<[^>]*>/g, ''))}</a></li>`,
  );
  return html`<ul class="parts">
    ${items}
  </ul>`;
}
