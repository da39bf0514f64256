/** Shows the device, its journal and its storage. */
import type { JournalFacts, Snapshot, StorageFacts } from '../../inspect/shapes.ts';
import { definitionList, element, type Child } from '../elements.ts';
import type { PanelContext } from '../panel-context.ts';

export function showDevice(
  { engine, platform, status }: Snapshot<'engine' | 'platform' | 'status'>,
  { texts, number, time }: PanelContext,
): Child[] {
  const { device } = texts;
  const code = (text: string) => element('code', {}, text);
  const numbers = [engine.last_seq, engine.sent_seq, engine.proven_seq];
  return [
    definitionList([
      [device.status, texts.phases[status.phase]],
      [device.error, status.error && element('span', { class: 'bad' }, status.error.code)],
      [device.lastSynced, status.last_synced_at ? time(status.last_synced_at) : texts.never],
      [device.token, engine.has_token ? texts.yes : texts.no],
      [device.numbers, numbers.map((one) => (one === null ? '–' : number(one))).join(' / ')],
      [device.version, `${engine.version} (${engine.kind})`],
      [device.server, engine.server],
      [device.deviceId, code(engine.device_id)],
      [device.clientId, code(engine.client_id)],
      [device.timeZone, platform.time_zone],
      [device.browser, platform.user_agent],
    ]),
  ];
}

export function showJournal(
  { state, rows, written_at, bytes }: JournalFacts,
  { texts, number, time, size }: PanelContext,
): Child[] {
  const { journal } = texts;
  return [
    definitionList([
      [journal.state, journal.states[state]],
      [journal.rows, state === 'none' ? null : number(rows)],
      [journal.written, written_at && time(written_at)],
      [journal.size, bytes === null ? null : size(bytes)],
    ]),
  ];
}

export function showStorage(storage: StorageFacts, { texts, number, size }: PanelContext): Child[] {
  const { driver, collections, quota, usage, is_persisted, problem } = storage;
  const { storage: words } = texts;
  return [
    definitionList([
      [words.driver, element('code', {}, driver)],
      [words.problem, problem && element('span', { class: 'bad' }, problem)],
      ...collections.map(({ name, rows }): [string, Child] => [name, words.rows(number(rows))]),
      [words.usage, usage === null ? texts.unknown : size(usage)],
      [words.quota, quota === null ? texts.unknown : size(quota)],
      [words.persisted, is_persisted === null ? texts.unknown : is_persisted ? texts.yes : texts.no],
    ]),
  ];
}
