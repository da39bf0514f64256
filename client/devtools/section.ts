/** Makes the sections of the panel. Only an open section reads the engine and draws. */
import type { Inspector } from '../inspect/inspector.ts';
import type { Snapshot, SnapshotPart } from '../inspect/shapes.ts';
import { element, type Child } from './elements.ts';
import { replaceContent } from './replace-content.ts';

interface SectionOptions {
  title: string;
  isOpen?: boolean;
  content: Child[];
}

export interface Section {
  element: HTMLElement;
  /** Reads the engine and draws changes. Does nothing while the section is closed. */
  update(): Promise<void>;
}

interface UpdatedSectionOptions extends SectionOptions {
  update(): Promise<void>;
  onOpen(): void;
}

export function createSectionElement({ title, isOpen = false, content }: SectionOptions): HTMLDetailsElement {
  const details = element(
    'details',
    { class: 'section' },
    element('summary', {}, element('h2', {}, title)),
    ...content,
  );
  details.open = isOpen;
  return details;
}

/** Makes a section that is updated while it is open. It shows old content when it opens, so it calls `onOpen` then. */
export function createUpdatedSection({ update, onOpen, ...options }: UpdatedSectionOptions): Section {
  const details = createSectionElement(options);
  let wasOpen = details.open;
  details.addEventListener('toggle', () => {
    if (details.open && !wasOpen) onOpen();
    wasOpen = details.open;
  });
  return { element: details, update: async () => (details.open ? update() : undefined) };
}

interface SnapshotSectionOptions<Part extends SnapshotPart> extends Omit<UpdatedSectionOptions, 'content' | 'update'> {
  inspector: Pick<Inspector, 'snapshot'>;
  parts: readonly Part[];
  /** Content that stays above the drawn part. An update does not draw this content again. */
  head?: Child[];
  draw(snapshot: Snapshot<Part>): Child[];
}

export function createSnapshotSection<Part extends SnapshotPart>({
  inspector,
  parts,
  head = [],
  draw,
  ...options
}: SnapshotSectionOptions<Part>): Section {
  const place = element('div', {});
  let shownText = '';
  const update = async () => {
    const snapshot = await inspector.snapshot(parts);
    const text = JSON.stringify(parts.map((part) => snapshot[part]));
    if (text === shownText) return;
    shownText = text;
    replaceContent(place, draw(snapshot));
  };
  return createUpdatedSection({ ...options, content: [...head, place], update });
}
