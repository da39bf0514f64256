/** Shows the map or run that a person selects, as last pulled and with the pending mutations applied. */
import type { Inspector } from '../../inspect/inspector.ts';
import type { BaseFacts, Json, NamedRecord, RecordLayers } from '../../inspect/shapes.ts';
import { definitionList, element, jsonBlock, type Child } from '../elements.ts';
import type { PanelContext } from '../panel-context.ts';
import { replaceContent } from '../replace-content.ts';
import { showItems } from './outbox.ts';

type RecordInspector = Pick<Inspector, 'maps' | 'runs' | 'record'>;

/** A section with two selects, for a map and one of its runs. The selection stays while the engine changes. */
export class RecordsSection {
  readonly #inspector: RecordInspector;
  readonly #context: PanelContext;
  readonly #counts = element('div', {});
  readonly #map = element('select', { id: 'map' });
  readonly #run = element('select', { id: 'run' });
  readonly #record = element('div', {});
  /** Counts the reads, so that only the result of the latest read is shown. */
  #readCount = 0;
  #shownText = '';

  constructor(inspector: RecordInspector, context: PanelContext) {
    this.#inspector = inspector;
    this.#context = context;
    this.#map.addEventListener('change', () => {
      this.#run.value = '';
      void this.#showChoice();
    });
    this.#run.addEventListener('change', () => void this.#showChoice());
  }

  get content(): Child[] {
    const { records } = this.#context.texts;
    return [
      this.#counts,
      element('div', { class: 'field' }, element('label', { for: 'map' }, records.map), this.#map),
      element('div', { class: 'field' }, element('label', { for: 'run' }, records.run), this.#run),
      this.#record,
    ];
  }

  async update({ maps, runs, cursor }: BaseFacts): Promise<void> {
    const { texts, number, time } = this.#context;
    const { records } = texts;
    replaceContent(this.#counts, [
      element('p', {}, records.counts(number(maps), number(runs))),
      cursor &&
        definitionList([
          [records.cursor, element('code', {}, cursor.cursor)],
          [texts.device.lastSynced, cursor.synced_at && time(cursor.synced_at)],
        ]),
    ]);
    this.#fillOptions(this.#map, records.choose, await this.#inspector.maps());
    await this.#showChoice();
  }

  #fillOptions(select: HTMLSelectElement, first: string, records: readonly NamedRecord[]): void {
    const { pending } = this.#context.texts.records;
    const chosen = select.value;
    const options = records.map(({ id, name, is_pending }) =>
      element('option', { value: id }, is_pending ? pending(name) : name),
    );
    const made = [element('option', { value: '' }, first), ...options];
    const textOf = (all: Iterable<HTMLOptionElement>) => [...all].map(({ value, text }) => `${value} ${text}`).join();
    // Change the options only if they differ, since a change closes an open list.
    if (textOf(select.options) !== textOf(made)) select.replaceChildren(...made);
    select.value = chosen;
    if (select.selectedIndex === -1) select.value = '';
  }

  /** Reads the selected record. Resolves to undefined if none is selected or the record no longer exists. */
  async #read(mapId: string, runId: string): Promise<RecordLayers | undefined> {
    if (mapId === '') return undefined;
    const reading = runId === '' ? this.#inspector.record('map', mapId) : this.#inspector.record('run', runId);
    return reading.catch(() => undefined);
  }

  async #showChoice(): Promise<void> {
    const read = ++this.#readCount;
    const mapId = this.#map.value;
    const runs = mapId === '' ? [] : await this.#inspector.runs(mapId);
    if (read !== this.#readCount) return;
    this.#fillOptions(this.#run, this.#context.texts.records.noRun, runs);
    this.#run.disabled = mapId === '';
    const runId = this.#run.value;
    const layers = await this.#read(mapId, runId);
    if (read !== this.#readCount) return;
    const text = JSON.stringify(layers) ?? '';
    if (text === this.#shownText) return;
    this.#shownText = text;
    replaceContent(this.#record, layers ? showLayers(layers, this.#context) : []);
  }
}

function showLayers({ kind, id, base, shown, changed, pending }: RecordLayers, context: PanelContext): Child[] {
  const { records } = context.texts;
  const state = !base
    ? records.onlyHere
    : !shown
      ? records.removed
      : changed.length === 0
        ? records.same
        : records.changed;
  const showLayer = (layer: 'base' | 'shown', content: Json | null) => {
    const key = `${kind} ${id} ${layer}`;
    const label = records[layer];
    return content && context.disclosures.make(key, [label], () => [jsonBlock({ label, key }, content)]);
  };
  return [
    element('p', {}, state),
    base && shown && changed.length > 0
      ? element('ul', { class: 'rows lines', role: 'list' }, ...changed.map((field) => showField(field, base, shown)))
      : null,
    pending.length > 0 && element('h3', {}, records.onTop),
    pending.length > 0 && showItems(pending, context),
    showLayer('base', base),
    showLayer('shown', shown),
  ];
}

const fieldCharsMax = 120;

const showField = (field: string, base: Json, shown: Json): HTMLElement =>
  element(
    'li',
    {},
    element('code', {}, field),
    element('del', {}, shortText(base[field])),
    element('ins', {}, shortText(shown[field])),
  );

function shortText(value: unknown): string {
  const text = JSON.stringify(value) ?? '–';
  return text.length > fieldCharsMax ? `${text.slice(0, fieldCharsMax)}…` : text;
}
