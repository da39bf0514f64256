/** Makes the sections of the panel. A section is read and drawn while it is open. */
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
  /** Reads and draws what changed. Does nothing while the section is closed. */
  update(): Promise<void>;
}

interface UpdatedOptions extends SectionOptions {
  update(): Promise<void>;
  onOpen(): void;
}

export function sectionElement({ title, isOpen = false, content }: SectionOptions): HTMLDetailsElement {
  const details = element(
    'details',
    { class: 'section' },
    element('summary', {}, element('h2', {}, title)),
    ...content,
  );
  details.open = isOpen;
  return details;
}

/** Calls `onOpen` when a person opens the section, which then shows what it had when it was closed. */
export function updatedSection({ update, onOpen, ...options }: UpdatedOptions): Section {
  const details = sectionElement(options);
  let wasOpen = details.open;
  details.addEventListener('toggle', () => {
    if (details.open && !wasOpen) onOpen();
    wasOpen = details.open;
  });
  return { element: details, update: async () => (details.open ? update() : undefined) };
}

interface SnapshotOptions<Part extends SnapshotPart> extends Omit<UpdatedOptions, 'content' | 'update'> {
  inspector: Pick<Inspector, 'snapshot'>;
  parts: readonly Part[];
  /** The content that is drawn once, before the rest. */
  head?: Child[];
  draw(snapshot: Snapshot<Part>): Child[];
}

export function snapshotSection<Part extends SnapshotPart>({
  inspector,
  parts,
  head = [],
  draw,
  ...options
}: SnapshotOptions<Part>): Section {
  const place = element('div', {});
  let shownText = '';
  const update = async () => {
    const snapshot = await inspector.snapshot(parts);
    const text = JSON.stringify(parts.map((part) => snapshot[part]));
    if (text === shownText) return;
    shownText = text;
    replaceContent(place, draw(snapshot));
  };
  return updatedSection({ ...options, content: [...head, place], update });
}
