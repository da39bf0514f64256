/** Composes the panel of its sections, and draws them anew when the engine changes. */
import type { Inspector } from '../inspect/inspector.ts';
import type { DeviceSnapshot } from '../inspect/shapes.ts';
import type { BundleOptions } from '../inspect/support-bundle.ts';
import { checkbox, element, type Child } from './elements.ts';
import { createLook, type Look } from './look.ts';
import { OpenParts, replaceContent } from './open-parts.ts';
import { showCustody } from './sections/custody.ts';
import { showDevice, showJournal, showStorage } from './sections/facts.ts';
import { showOutbox } from './sections/outbox.ts';
import { RecordsSection } from './sections/records.ts';
import { supportSection } from './sections/support.ts';
import { showTrace } from './sections/sync.ts';
import { styles } from './styles.ts';
import type { DevtoolsTexts } from './text/en.ts';

interface PanelOptions {
  inspector: Inspector;
  language: 'en' | 'de';
  settings: () => NonNullable<BundleOptions['settings']>;
}

export interface Panel {
  element: HTMLElement;
  styles: CSSStyleSheet;
  close(): void;
}

const textLoaders: Record<PanelOptions['language'], () => Promise<{ texts: DevtoolsTexts }>> = {
  en: () => import('./text/en.ts'),
  de: () => import('./text/de.ts'),
};

/** A section of the panel. `select` returns the data that it shows, and `shown` is that data as text. */
interface DrawnSection {
  place: HTMLElement;
  select(snapshot: DeviceSnapshot): unknown;
  draw(snapshot: DeviceSnapshot): Child[];
  shown?: string;
}

/** Changes within this time are drawn together. */
const redrawMs = 200;

export async function openPanel({ inspector, language, settings }: PanelOptions): Promise<Panel> {
  const { texts } = await textLoaders[language]();
  const look = createLook({ texts, parts: new OpenParts(), language, wallMs: () => Date.now() });
  const records = new RecordsSection(inspector, look);
  const sections = drawnSections(look);
  const status = element('p', { class: 'soft', role: 'status' }, texts.loading);
  const panel = element(
    'section',
    { class: 'panel', 'aria-label': texts.title, lang: language },
    status,
    sectionOf(texts.device.title, true, [sections.device.place]),
    sectionOf(texts.outbox.title, true, [sections.outbox.place]),
    sectionOf(texts.sync.title, true, [
      checkbox(texts.sync.trace, true, (isOn) => void inspector.trace(isOn).catch(() => undefined)),
      sections.trace.place,
    ]),
    sectionOf(texts.records.title, false, records.content),
    sectionOf(texts.custody.title, false, [sections.custody.place]),
    sectionOf(texts.journal.title, false, [sections.journal.place]),
    sectionOf(texts.storage.title, false, [sections.storage.place]),
    sectionOf(texts.support.title, true, supportSection({ inspector, look, settings })),
  );
  const draw = async () => {
    try {
      const snapshot = await inspector.snapshot();
      for (const section of Object.values(sections)) redrawIfChanged(section, snapshot);
      await records.update(snapshot.base);
      status.textContent = '';
    } catch {
      status.textContent = texts.failed;
    }
  };
  void inspector.trace(true).catch(() => undefined);
  return { element: panel, styles: styles(), close: drawOnChange(inspector, draw) };
}

/** Draws now and after changes, one drawing at a time. Returns a function that ends this. */
function drawOnChange({ changes$ }: Inspector, draw: () => Promise<void>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isDrawing = false;
  let isStale = false;
  let isClosed = false;
  const drawNow = async () => {
    timer = undefined;
    isDrawing = true;
    isStale = false;
    await draw();
    isDrawing = false;
    if (isStale) drawSoon();
  };
  const drawSoon = () => {
    isStale = true;
    if (!isDrawing && !isClosed) timer ??= setTimeout(() => void drawNow(), redrawMs);
  };
  void drawNow();
  const subscription = changes$.subscribe({ next: drawSoon, error: () => undefined });
  return () => {
    isClosed = true;
    clearTimeout(timer);
    subscription.unsubscribe();
  };
}

function drawnSections(look: Look) {
  const place = () => element('div', {});
  return {
    device: {
      place: place(),
      select: ({ engine, platform, status }) => [engine, platform, status],
      draw: (snapshot) => showDevice(snapshot, look),
    },
    outbox: { place: place(), select: ({ outbox }) => outbox, draw: ({ outbox }) => showOutbox(outbox, look) },
    trace: { place: place(), select: ({ trace }) => trace, draw: ({ trace }) => showTrace(trace, look) },
    custody: { place: place(), select: ({ custody }) => custody, draw: ({ custody }) => showCustody(custody, look) },
    journal: { place: place(), select: ({ journal }) => journal, draw: ({ journal }) => showJournal(journal, look) },
    storage: { place: place(), select: ({ storage }) => storage, draw: ({ storage }) => showStorage(storage, look) },
  } satisfies Record<string, DrawnSection>;
}

function redrawIfChanged(section: DrawnSection, snapshot: DeviceSnapshot): void {
  const text = JSON.stringify(section.select(snapshot));
  if (text === section.shown) return;
  section.shown = text;
  replaceContent(section.place, section.draw(snapshot));
}

function sectionOf(title: string, isOpen: boolean, content: Child[]): HTMLElement {
  const made = element('details', { class: 'section' }, element('summary', {}, element('h2', {}, title)), ...content);
  made.open = isOpen;
  return made;
}
