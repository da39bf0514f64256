/** Searches the site in the page: the records are a file of the site, which loads when a person first goes to the search. */
import MiniSearch, { type SearchResult } from 'minisearch';
import { searchOptions, type SearchRecord } from './search-options.ts';

declare global {
  /** Set by the file `search-records.js`. */
  var siteRecords: SearchRecord[] | undefined;
}

type Hit = SearchResult & SearchRecord;

const hitsMax = 12;
const excerptCharsMax = 160;

const { dataset } = document.documentElement;
const siteRoot = new URL(dataset['root']!, location.href);
const input = document.querySelector<HTMLInputElement>('#site-search')!;
const list = document.querySelector<HTMLElement>('#site-hits')!;

let loading: Promise<MiniSearch<SearchRecord>> | undefined;
let latestText = '';

input.addEventListener('focus', () => void loadIndex());
input.addEventListener('input', () => void search());
input.addEventListener('keydown', (event) => {
  const options = [...list.querySelectorAll<HTMLElement>('[role=option]')];
  const chosen = options.findIndex((option) => option.getAttribute('aria-selected') === 'true');
  if (event.key === 'Escape') hide();
  else if (event.key === 'Enter') options[Math.max(chosen, 0)]?.click();
  else if (event.key === 'ArrowDown') choose(options, Math.min(chosen + 1, options.length - 1));
  else if (event.key === 'ArrowUp') choose(options, Math.max(chosen - 1, 0));
  else return;
  event.preventDefault();
});
document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea');
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  input.focus();
});
document.addEventListener('click', (event) => {
  if (!(event.target instanceof Node && input.parentElement!.contains(event.target))) hide();
});
list.addEventListener('click', () => hide());

// A page from a disk has no workers.
if ('serviceWorker' in navigator && location.protocol.startsWith('http')) {
  addEventListener('load', () => void navigator.serviceWorker.register(new URL('worker.js', siteRoot)).catch(() => {}));
}

function loadIndex(): Promise<MiniSearch<SearchRecord>> {
  loading ??= new Promise<void>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = new URL('search-records.js', siteRoot).href;
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => reject(new Error('The records of the search did not load.')));
    document.head.append(script);
  }).then(async () => {
    const index = new MiniSearch<SearchRecord>(searchOptions);
    // Index in chunks, so that the page answers in between.
    await index.addAllAsync(globalThis.siteRecords!, { chunkSize: 50 });
    return index;
  });
  // The next attempt loads anew.
  loading.catch(() => (loading = undefined));
  return loading;
}

async function search(): Promise<void> {
  const text = input.value.trim();
  latestText = text;
  if (text === '') return hide();
  const index = await loadIndex().catch(() => undefined);
  if (latestText !== text) return;
  if (!index) return show([message('The search could not load.')]);
  const hits = index.search(text).slice(0, hitsMax) as Hit[];
  show(hits.length === 0 ? [message(`Nothing found for “${text}”.`)] : hits.map(hitElement));
}

function show(elements: HTMLElement[]): void {
  list.replaceChildren(...elements);
  list.hidden = false;
  input.setAttribute('aria-expanded', 'true');
  input.removeAttribute('aria-activedescendant');
}

function hide(): void {
  list.hidden = true;
  input.setAttribute('aria-expanded', 'false');
}

function choose(options: HTMLElement[], chosen: number): void {
  for (const [index, option] of options.entries()) option.setAttribute('aria-selected', String(index === chosen));
  options[chosen]?.scrollIntoView({ block: 'nearest' });
  if (options[chosen]) input.setAttribute('aria-activedescendant', options[chosen].id);
}

function hitElement({ id, page, heading, text, terms }: Hit, index: number): HTMLElement {
  const link = document.createElement('a');
  link.href = new URL(id, siteRoot).href;
  link.id = `site-hit-${index}`;
  link.tabIndex = -1;
  link.setAttribute('role', 'option');
  link.setAttribute('aria-selected', String(index === 0));
  link.append(element('strong', heading || page), element('small', heading ? page : ''), excerpt(text, terms));
  return link;
}

/** Returns the text around the first found term, with all terms marked. */
function excerpt(text: string, terms: string[]): HTMLElement {
  const pattern = new RegExp(
    `(${terms.map((term) => term.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})`,
    'giu',
  );
  const start = Math.max(0, text.search(pattern) - excerptCharsMax / 4);
  const from = start === 0 ? 0 : text.indexOf(' ', start) + 1;
  const shown = text.slice(from, from + excerptCharsMax).replace(/ \S*$/, '');
  const parts = shown.split(pattern).map((part, index) => (index % 2 === 1 ? element('mark', part) : part));
  const paragraph = element('span', from === 0 ? '' : '… ');
  paragraph.append(...parts, from + excerptCharsMax < text.length ? ' …' : '');
  return paragraph;
}

const message = (text: string): HTMLElement => element('p', text);

function element(name: string, text: string): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
