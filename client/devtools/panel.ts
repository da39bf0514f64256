/** Composes the panel from its sections, and redraws the open ones when the engine changes. */
import type { Inspector } from '../inspect/inspector.ts';
import type { BundleOptions } from '../inspect/support/support-bundle.ts';
import { Disclosures } from './disclosures.ts';
import { checkbox, element } from './elements.ts';
import { createPanelContext, type PanelContext } from './panel-context.ts';
import { createSectionElement, createSnapshotSection, createUpdatedSection, type Section } from './section.ts';
import { showCustody } from './sections/custody.ts';
import { showDevice, showJournal, showStorage } from './sections/device.ts';
import { showOutbox } from './sections/outbox.ts';
import { RecordsSection } from './sections/records.ts';
import { createSupportContent } from './sections/support.ts';
import { showTrace } from './sections/sync.ts';
import { createStyles } from './styles.ts';
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

/** How long to collect changes before a redraw. */
const redrawMs = 200;

export async function openPanel({ inspector, language, settings }: PanelOptions): Promise<Panel> {
  const { texts } = await textLoaders[language]();
  const context = createPanelContext({ texts, disclosures: new Disclosures(), language, wallMs: () => Date.now() });
  let onOpen = () => {};
  const sections = createSections({ inspector, context, onOpen: () => onOpen() });
  const status = element('p', { class: 'soft', role: 'status' }, texts.loading);
  const panel = element(
    'section',
    { class: 'panel', 'aria-label': texts.title, lang: language },
    status,
    ...sections.map((section) => section.element),
    createSectionElement({
      title: texts.support.title,
      isOpen: true,
      content: createSupportContent({ inspector, context, settings }),
    }),
  );
  const draw = async () => {
    try {
      await Promise.all(sections.map((section) => section.update()));
      status.textContent = '';
    } catch {
      status.textContent = texts.failed;
    }
  };
  void inspector.trace(true).catch(() => undefined);
  const drawing = drawOnChange(inspector, draw);
  onOpen = drawing.drawSoon;
  return { element: panel, styles: createStyles(), close: drawing.close };
}

/**
 * Calls `draw` now and after each change of the engine, but never while `draw` still runs. After a call of the returned
 * `close`, no new `draw` begins.
 */
function drawOnChange({ changes$ }: Inspector, draw: () => Promise<void>) {
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
    if (isStale) drawSoon(redrawMs);
  };
  const drawSoon = (afterMs: number) => {
    isStale = true;
    if (!isDrawing && !isClosed) timer ??= setTimeout(() => void drawNow(), afterMs);
  };
  void drawNow();
  const subscription = changes$.subscribe({ next: () => drawSoon(redrawMs), error: () => undefined });
  return {
    drawSoon: () => drawSoon(0),
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      subscription.unsubscribe();
    },
  };
}

interface SectionsOptions {
  inspector: Inspector;
  context: PanelContext;
  onOpen: () => void;
}

function createSections({ inspector, context, onOpen }: SectionsOptions): Section[] {
  const { device, outbox, sync, records, custody, journal, storage } = context.texts;
  const chosenRecord = new RecordsSection(inspector, context);
  const common = { inspector, onOpen };
  return [
    createSnapshotSection({
      ...common,
      title: device.title,
      isOpen: true,
      parts: ['engine', 'platform', 'status'],
      draw: (snapshot) => showDevice(snapshot, context),
    }),
    createSnapshotSection({
      ...common,
      title: outbox.title,
      isOpen: true,
      parts: ['outbox'],
      draw: (snapshot) => showOutbox(snapshot.outbox, context),
    }),
    createSnapshotSection({
      ...common,
      title: sync.title,
      isOpen: true,
      parts: ['trace'],
      head: [checkbox(sync.trace, true, (isOn) => void inspector.trace(isOn).catch(() => undefined))],
      draw: ({ trace }) => showTrace(trace, context),
    }),
    createUpdatedSection({
      title: records.title,
      content: chosenRecord.content,
      update: async () => chosenRecord.update((await inspector.snapshot(['base'])).base),
      onOpen,
    }),
    createSnapshotSection({
      ...common,
      title: custody.title,
      parts: ['custody'],
      draw: (snapshot) => showCustody(snapshot.custody, context),
    }),
    createSnapshotSection({
      ...common,
      title: journal.title,
      parts: ['journal'],
      draw: (snapshot) => showJournal(snapshot.journal, context),
    }),
    createSnapshotSection({
      ...common,
      title: storage.title,
      parts: ['storage'],
      draw: (snapshot) => showStorage(snapshot.storage, context),
    }),
  ];
}
