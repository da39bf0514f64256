/** Makes the sections of the panel, which are read and drawn only while they are open. */
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

/**
 * Makes a section that is updated while it is open. Calls `onOpen` when a person opens it, since it then still shows
 * old content.
 */
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
  /** The content before the rest, which is drawn once. */
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
