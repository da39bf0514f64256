/** The rules for the fields of the support bundle: which values are kept, and which are replaced. */
import type { Status } from '../../sync/tabs/status.ts';
import { argsRuleOf, isListedField, recordRules } from './content-fields.ts';
import {
  keep,
  copyListedFields,
  replaceCode,
  replaceId,
  replaceProblem,
  replaceText,
  type FieldRules,
  type Replacements,
} from './listed-fields.ts';
import type {
  BaseFacts,
  CustodyFacts,
  EngineFacts,
  HandedOver,
  JournalFacts,
  Json,
  OutboxFacts,
  OutboxItem,
  PlatformFacts,
  RecordingCustody,
  RecordLayers,
  StorageFacts,
  SyncRequest,
  SyncRound,
  TraceFacts,
} from '../shapes.ts';

/** Makes a rule that applies the field rules to each item of a list. */
const listRule =
  <Item extends object, Listed = Item>(rules: FieldRules<Item, Listed>) =>
  (items: readonly Item[], replacements: Replacements): Listed[] =>
    items.map((item) => copyListedFields(item, rules, replacements));

/** Makes a rule that applies the field rules to a value that may be null. */
const nullableRule =
  <Value extends object>(rules: FieldRules<Value>) =>
  (value: Value | null, replacements: Replacements): Value | null =>
    value && copyListedFields(value, rules, replacements);

const keptOptionNames: ReadonlySet<string> = new Set([
  'runs_max',
  'runs_days',
  'runs_per_map',
  'push_effects',
  'packed_pages',
  'report',
  'own_fetch',
  'carries',
  'hands_over',
]);

const copyKeptOptions = (options: EngineFacts['options']): EngineFacts['options'] =>
  Object.fromEntries(Object.entries(options).filter(([name]) => keptOptionNames.has(name)));

export const engineFields: FieldRules<EngineFacts> = {
  version: keep,
  protocol: keep,
  rows_version: keep,
  kind: keep,
  server: keep,
  database: replaceText,
  device_id: keep,
  client_id: keep,
  account_id: keep,
  has_token: keep,
  last_seq: keep,
  sent_seq: keep,
  proven_seq: keep,
  options: copyKeptOptions,
};

export const platformFields: FieldRules<PlatformFacts> = {
  user_agent: keep,
  language: keep,
  time_zone: keep,
  is_online: keep,
  is_visible: keep,
};

export const statusFields: FieldRules<Status, Json> = {
  phase: keep,
  pending: keep,
  pending_steps: keep,
  oldest_pending_at: keep,
  last_synced_at: keep,
  attention: keep,
  photos: keep,
  error: replaceProblem,
  progress: nullableRule({ done: keep, total: keep }),
  second_copy: keep,
};

const itemFieldsOf = ({ state, name: mutationName }: OutboxItem): FieldRules<OutboxItem, Json> => ({
  state: keep,
  client_id: keep,
  seq: keep,
  name: keep,
  recorded_at: keep,
  // The content of a receipt is on the server anyway.
  args: state === 'receipt' ? () => undefined : argsRuleOf(mutationName),
  is_noop: keep,
  attempts: keep,
  last_failure: replaceCode,
  error: replaceProblem,
  proven_at: keep,
});

const countFields: FieldRules<OutboxFacts['counts']> = {
  pending: keep,
  forwarded: keep,
  refused: keep,
  discarded: keep,
  receipt: keep,
};

export const outboxFields: FieldRules<OutboxFacts, Json> = {
  counts: (counts, replacements) => copyListedFields(counts, countFields, replacements),
  entries: (items, replacements) => items.map((item) => copyListedFields(item, itemFieldsOf(item), replacements)),
  left_out: keep,
};

/** Replaces the id of a map, which may be a person's text. Keeps the id of a run, which is a number. */
const replaceIfMapId = (kind: 'map' | 'run', id: string, replacements: Replacements) =>
  kind === 'map' ? replaceId(id, replacements) : id;

export const baseFields: FieldRules<BaseFacts> = {
  maps: keep,
  runs: keep,
  cursor: nullableRule({ cursor: keep, epoch: keep, complete: keep, synced_at: keep, partial: keep }),
  pending: (records, replacements) =>
    records.map(({ kind, id }) => ({ kind, id: replaceIfMapId(kind, id, replacements) })),
};

/** Identifies a pending mutation by a few fields, since the outbox of the bundle has its content. */
const mutationReferenceOf = ({ seq, name, state }: OutboxItem): Json => ({ seq, name, state });

export const copyLayers = (layers: RecordLayers, replacements: Replacements): Json => {
  const { kind } = layers;
  const content = (record: Json | null) => record && recordRules[kind](record, replacements);
  const fields: FieldRules<RecordLayers, Json> = {
    kind: keep,
    id: (id) => replaceIfMapId(kind, id, replacements),
    base: content,
    shown: content,
    changed: (names) => names.filter((name) => isListedField(kind, name)),
    pending: (items) => items.map(mutationReferenceOf),
  };
  return copyListedFields(layers, fields, replacements);
};

const recordingFields: FieldRules<RecordingCustody> = {
  recording_session_id: replaceId,
  map_id: (id, replacements) => id && replaceId(id, replacements),
  recorded_at: keep,
  state: keep,
  custody: keep,
  carriers: listRule<HandedOver>({ at: keep, proven: keep }),
};

export const custodyFields: FieldRules<CustodyFacts, Json> = {
  recordings: listRule(recordingFields),
  carrying: nullableRule({ messages: keep, bytes: keep, oldest_at: keep }),
  read_codes: listRule({ taken_at: keep, delivered: keep, refused: keep }),
  hand_over_problem: replaceCode,
};

const requestFields: FieldRules<SyncRequest> = {
  at: keep,
  kind: keep,
  method: keep,
  status: keep,
  ms: keep,
  sent_bytes: keep,
  received_bytes: keep,
  error: replaceCode,
  by: keep,
  client_id: keep,
  sent_seq: keep,
};

const roundFields: FieldRules<SyncRound> = {
  at: keep,
  ms: keep,
  outcome: keep,
  error: replaceCode,
  waiting_before: keep,
  waiting_after: keep,
  records_written: keep,
  requests: listRule(requestFields),
  requests_left_out: keep,
};

export const traceFields: FieldRules<TraceFacts> = {
  is_on: keep,
  begun_at: keep,
  leads: keep,
  rounds: listRule(roundFields),
};

export const journalFields: FieldRules<JournalFacts> = { state: keep, rows: keep, written_at: keep, bytes: keep };

export const storageFields: FieldRules<StorageFacts> = {
  driver: keep,
  collections: listRule({ name: keep, rows: keep }),
  quota: keep,
  usage: keep,
  is_persisted: keep,
  problem: replaceCode,
};
