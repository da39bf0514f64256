/** Shows the mutations of the outbox: their state, kind, sequence number, attempts and last failure. */
import type { OutboxFacts, OutboxItem } from '../../inspect/shapes.ts';
import { element, jsonBlock, type Child } from '../elements.ts';
import type { PanelContext } from '../panel-context.ts';

const itemsShownMax = 50;

export function showOutbox({ entries, counts, left_out }: OutboxFacts, context: PanelContext): Child[] {
  const { texts, number } = context;
  if (entries.length === 0) return [element('p', { class: 'soft' }, texts.outbox.empty)];
  const inUse = Object.entries(counts).filter(([, count]) => count > 0) as [OutboxItem['state'], number][];
  const more = left_out + Math.max(0, entries.length - itemsShownMax);
  return [
    element('p', {}, inUse.map(([state, count]) => `${number(count)} ${texts.outbox.states[state]}`).join(', ')),
    showItems(entries.slice(0, itemsShownMax), context),
    more > 0 && element('p', { class: 'soft' }, texts.more(number(more))),
  ];
}

export const showItems = (items: readonly OutboxItem[], context: PanelContext): HTMLElement =>
  element('ul', { class: 'rows', role: 'list' }, ...items.map((item) => element('li', {}, showItem(item, context))));

function showItem(item: OutboxItem, context: PanelContext): HTMLElement {
  const { texts, number, time, disclosures } = context;
  const { state, name, seq, recorded_at, attempts, last_failure, is_noop, error, args, client_id } = item;
  const { outbox } = texts;
  const summary: Child[] = [
    element('code', {}, name),
    seq !== null && element('span', { class: 'number' }, `#${seq}`),
    element('span', { class: `tag tag-${state}` }, outbox.states[state]),
    element('span', { class: 'soft' }, time(recorded_at)),
    attempts !== null && attempts > 0 && element('span', { class: 'soft' }, outbox.attempts(number(attempts))),
    last_failure !== null && element('span', { class: 'bad' }, outbox.failure(last_failure)),
    is_noop && element('span', { class: 'soft' }, outbox.noop),
  ];
  const key = `outbox ${client_id} ${seq ?? recorded_at} ${state}`;
  return disclosures.make(key, summary, () => [
    jsonBlock({ label: outbox.content, key }, error ? { args, error } : { args }),
  ]);
}
