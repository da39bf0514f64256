/** The pages of the site: which document each is made of, and where it stands in the navigation. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

export interface Page {
  /** The document, relative to the root of the repository. */
  source: string;
  /** The file in the built site, such as `spec/api.html`. */
  path: string;
  title: string;
  markdown: string;
  /** The page of the navigation that is marked while this page is read. */
  listedAs: string;
}

interface MenuEntry {
  source: string;
  label: string;
}

interface Group {
  title: string;
  pages: MenuEntry[];
}

/** A group for each audience. */
const groups: Group[] = [
  {
    title: 'Use it',
    pages: [
      { source: 'README.md', label: 'What Gemba is' },
      { source: 'docs/worker.md', label: 'Record work' },
      { source: 'docs/lead.md', label: 'Lead a team' },
    ],
  },
  {
    title: 'Build on it',
    pages: [
      { source: 'docs/package.md', label: 'The package' },
      { source: 'docs/engine.md', label: 'The device engine' },
      { source: 'docs/react.md', label: 'React' },
    ],
  },
  {
    title: 'Integrate',
    pages: [
      { source: 'docs/integrators.md', label: 'A walk for integrators' },
      { source: 'docs/sync-protocol.md', label: 'The sync protocol' },
    ],
  },
  {
    title: 'Run it',
    pages: [
      { source: 'docs/operations.md', label: 'Operations' },
      { source: 'SECURITY.md', label: 'Security' },
      { source: 'CHANGELOG.md', label: 'What is new' },
    ],
  },
  {
    title: 'Understand it',
    pages: [
      { source: 'ARCHITECTURE.md', label: 'Architecture' },
      { source: 'SPEC.md', label: 'What is promised' },
      { source: 'docs/decisions/README.md', label: 'Decisions' },
      { source: 'docs/benchmarks.md', label: 'Benchmarks' },
      { source: 'docs/deliberate-faults.md', label: 'Deliberate faults' },
      { source: 'docs/mutants.md', label: 'Mutants' },
      { source: 'CONTRIBUTING.md', label: 'Work on it' },
    ],
  },
];

/** The group of the documents under `docs` that no group names. */
const restGroup = 'Build on it';

/** The folders whose documents the menu leaves out, each with the page that lists them. */
const folders: Record<string, string> = {
  'docs/spec': 'SPEC.md',
  'docs/architecture': 'ARCHITECTURE.md',
  'docs/decisions': 'docs/decisions/README.md',
};

export interface Site {
  groups: Group[];
  /** The pages by their source. */
  pages: ReadonlyMap<string, Page>;
}

/** Reads all documents. A document under `docs` that no group names is listed by its heading, at the end of `restGroup`. */
export function readSite(root: string): Site {
  const read = (source: string, listedAs: string): Page => {
    const markdown = readFileSync(join(root, source), 'utf8');
    return { source, path: pathOf(source), title: headingOf(markdown) ?? basename(source), markdown, listedAs };
  };
  const listed = groups.flatMap(({ pages }) => pages.map(({ source }) => source));
  const rest = documentsIn(root, 'docs').filter((source) => !listed.includes(source));
  const inFolders = Object.entries(folders).flatMap(([folder, listedAs]) =>
    documentsIn(root, folder)
      .filter((source) => source !== listedAs)
      .map((source) => read(source, listedAs)),
  );
  const all = [...[...listed, ...rest].map((source) => read(source, source)), ...inFolders];
  const pages = new Map(all.map((page) => [page.source, page]));
  const restListed = rest.map((source) => ({ source, label: pages.get(source)!.title }));
  return {
    groups: groups.map(({ title, pages: some }) => ({
      title,
      pages: title === restGroup ? [...some, ...restListed] : some,
    })),
    pages,
  };
}

/** Finds the page that a path of the repository leads to: a document, or the list of a folder's documents. */
export function pageAt({ pages }: Site, path: string): Page | undefined {
  return pages.get(path) ?? pages.get(join(path, 'README.md')) ?? pages.get(folders[path] ?? '');
}

const documentsIn = (root: string, folder: string): string[] =>
  existsSync(join(root, folder))
    ? readdirSync(join(root, folder))
        .filter((name) => name.endsWith('.md'))
        .map((name) => `${folder}/${name}`)
        .toSorted()
    : [];

/** `docs/spec/api.md` is at `spec/api.html`, and the page that lists a folder is the folder's `index.html`. */
function pathOf(source: string): string {
  if (source === 'SPEC.md') return 'spec/index.html';
  const path = source.replace(/^docs\//, '').replace(/\.md$/, '');
  const name = basename(path) === 'README' ? 'index' : basename(path).toLowerCase();
  return join(dirname(path), `${name}.html`);
}

/** The text of the first heading. */
const headingOf = (markdown: string): string | undefined =>
  /^# +(.+?)\s*$/m.exec(markdown)?.[1]?.replaceAll(/[`*]/g, '');
