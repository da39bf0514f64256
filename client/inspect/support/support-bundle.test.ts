import { expect, test } from 'vitest';
import { Pseudonyms } from './pseudonyms.ts';
import type { DeviceSnapshot, OutboxItem, RecordLayers } from '../shapes.ts';
import { supportBundleOf } from './support-bundle.ts';

const at = '2026-03-01T08:00:00.000Z';
const pseudonym = /^text \d \(5\)$/;
const uuid = '01a1fc69-d7f9-71cc-87c5-aaaaaaaaaaaa';

const addedId = '5f0c2f6e-9d55-4f0e-8a53-bbbbbbbbbbbb';

const item: OutboxItem = {
  state: 'refused',
  client_id: uuid,
  seq: 1,
  name: 'update_map',
  recorded_at: at,
  args: { map_id: uuid },
  is_noop: false,
  attempts: 1,
  last_failure: 'map_not_found',
  error: { code: 'map_not_found', status: 404 },
  proven_at: null,
};

const snapshot: DeviceSnapshot = {
  taken_at: at,
  engine: {
    version: '0.1.0',
    protocol: 1,
    rows_version: 1,
    kind: 'phone',
    server: 'https://gemba.example',
    database: 'gemba',
    device_id: uuid,
    client_id: uuid,
    account_id: uuid,
    has_token: true,
    last_seq: 1,
    sent_seq: 1,
    proven_seq: 1,
    options: { report: true },
  },
  platform: { user_agent: 'a', language: 'en', time_zone: 'UTC', is_online: true, is_visible: true },
  status: {
    phase: 'syncing',
    pending: 0,
    pending_steps: 0,
    oldest_pending_at: null,
    last_synced_at: at,
    attention: 1,
    error: { type: 'about:blank', code: 'unavailable', status: 503, title: 'Unavailable', detail: '' },
    progress: { done: 1, total: 2 },
    second_copy: 'kept',
  },
  outbox: {
    counts: { pending: 0, forwarded: 0, refused: 1, discarded: 0, receipt: 1 },
    entries: [item, { ...item, state: 'receipt' }],
    left_out: 0,
  },
  base: {
    maps: 1,
    runs: 0,
    cursor: { cursor: '7', epoch: uuid, complete: true, synced_at: at, partial: false },
    pending: [{ kind: 'map', id: uuid }],
  },
  custody: {
    recordings: [
      {
        recording_session_id: uuid,
        map_id: uuid,
        recorded_at: at,
        state: 'pending',
        custody: 'device',
        carriers: [{ at, proven: false }],
      },
    ],
    carrying: { messages: 1, bytes: 2, oldest_at: at },
    read_codes: [{ taken_at: at, delivered: true, refused: false }],
    hand_over_problem: null,
  },
  trace: {
    is_on: true,
    begun_at: at,
    leads: true,
    rounds: [
      {
        at,
        ms: 1,
        outcome: 'idle',
        error: null,
        waiting_before: 0,
        waiting_after: 0,
        records_written: 0,
        requests: [
          {
            at,
            kind: 'push',
            method: 'POST',
            status: 200,
            ms: 1,
            sent_bytes: 1,
            received_bytes: 1,
            error: null,
            by: 'network',
            client_id: uuid,
            sent_seq: 1,
          },
        ],
        requests_left_out: 0,
      },
    ],
  },
  journal: { state: 'kept', rows: 1, written_at: at, bytes: 1 },
  storage: {
    driver: 'indexeddb',
    collections: [{ name: 'maps', rows: 1 }],
    quota: 1,
    usage: 1,
    is_persisted: true,
    problem: null,
  },
};

const layers: RecordLayers = {
  kind: 'map',
  id: uuid,
  base: { id: uuid, version: 7, stages: [{ id: 1, order: 1 }] },
  shown: { id: uuid, version: 7, name: 'Press', stages: [] },
  changed: ['name', 'stages'],
  pending: [item],
};

/** Adds a text, a number and a UUID to each object, as a later version may. */
function withNewField<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withNewField) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, withNewField(field)]);
  return Object.fromEntries([...fields, ['added', 'Maria'], ['added_count', 4711], ['added_id', addedId]]) as Value;
}

test('[DEV-16] a field that is not listed is not in the file, nor is one of a record or of the content of a mutation', () => {
  const bundle = (of: DeviceSnapshot, records: RecordLayers[], texts: boolean) =>
    supportBundleOf({ snapshot: of, records, pseudonyms: new Pseudonyms() }, { texts });
  const { changed } = layers;
  const laterLayers = { ...withNewField(layers), changed: [...changed, 'added_count'] };
  for (const texts of [false, true])
    expect(bundle(withNewField(snapshot), [laterLayers], texts)).toEqual(bundle(snapshot, [layers], texts));
  const { records, outbox } = bundle(snapshot, [layers], false);
  expect(records).toMatchObject([{ base: layers.base, shown: { id: uuid, version: 7, stages: [] }, changed }]);
  expect(outbox).toMatchObject({ entries: [{ args: { map_id: uuid } }, {}] });
});

test('[DEV-8] settings have numbers and flags, and texts only if they were asked for', () => {
  const settings = { runs_kept: 500, is_german: true, times: 'maria', 'Phone of Maria': 'clock', owner: null };
  const bundle = (texts: boolean) =>
    supportBundleOf({ snapshot, records: [], pseudonyms: new Pseudonyms() }, { texts, settings }).settings;
  expect(bundle(false)).toEqual({
    runs_kept: 500,
    is_german: true,
    times: expect.stringMatching(pseudonym),
    'text 3 (14)': 'text 4 (5)',
    owner: null,
  });
  expect(bundle(true)).toEqual(settings);
});
