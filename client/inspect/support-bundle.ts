/** Makes the file for support of a snapshot. A new field of a snapshot gets into the file: replace the texts in it here. */
import type { Pseudonyms, PseudonymsOptions } from './pseudonyms.ts';
import type { DeviceSnapshot, Json, OutboxItem, RecordingCustody, RecordLayers } from './shapes.ts';

export interface BundleOptions {
  /** True to include names, notes and the texts of steps as they are. Default: pseudonyms in their place. */
  texts?: boolean;
  /** Settings of the app. Numbers and flags are passed on, texts only if they are lower-case words such as `clock`. */
  settings?: Readonly<Record<string, string | number | boolean | null>>;
}

/** The file for support. A reader must ignore fields that it does not know. */
export interface SupportBundle extends Omit<DeviceSnapshot, 'status' | 'outbox' | 'custody'> {
  format: 'gemba-support';
  version: 1;
  /** Whether the texts of people are in it. */
  texts: boolean;
  settings: Json;
  status: Json;
  outbox: Json;
  custody: Json;
  /** The records that pending mutations change, at most 20, each from the server and with the mutations on top. */
  records: Json[];
}

export const recordsMax = 20;

interface BundleParts {
  snapshot: DeviceSnapshot;
  records: readonly RecordLayers[];
  pseudonyms: Pseudonyms;
}

export function supportBundleOf(
  { snapshot, records, pseudonyms }: BundleParts,
  { texts = false, settings = {} }: BundleOptions,
): SupportBundle {
  const options = { texts };
  const { taken_at, engine, platform, status, outbox, base, custody, trace, journal, storage } = snapshot;
  return {
    format: 'gemba-support',
    version: 1,
    texts,
    taken_at,
    engine: { ...engine, database: pseudonyms.text(engine.database, options) },
    platform,
    settings: settingsOf(settings, pseudonyms, options),
    status: { ...status, error: pseudonyms.problem(status.error && { ...status.error }, options) },
    outbox: { ...outbox, entries: outbox.entries.map((item) => itemOf(item, pseudonyms, options)) },
    base: {
      ...base,
      pending: base.pending.map(({ kind, id }) => ({ kind, id: kind === 'map' ? pseudonyms.id(id, options) : id })),
    },
    records: records.map((layers) => layersOf(layers, pseudonyms, options)),
    custody: {
      ...custody,
      recordings: custody.recordings.map((recording) => custodyOf(recording, pseudonyms, options)),
    },
    trace: traceOf(trace, pseudonyms, options),
    journal,
    storage,
  };
}

function itemOf({ args, ...item }: OutboxItem, pseudonyms: Pseudonyms, options: PseudonymsOptions): Json {
  return {
    ...item,
    last_failure: pseudonyms.code(item.last_failure, options),
    error: pseudonyms.problem(item.error, options),
    // The server has the content of a receipt.
    ...(item.state === 'receipt' ? {} : { args: pseudonyms.value(args, options) }),
  };
}

function layersOf(layers: RecordLayers, pseudonyms: Pseudonyms, options: PseudonymsOptions): Json {
  const { kind, id, base, shown, changed, pending } = layers;
  return {
    kind,
    id: kind === 'map' ? pseudonyms.id(id, options) : id,
    base: pseudonyms.value(base, options),
    shown: pseudonyms.value(shown, options),
    changed,
    pending: pending.map(({ seq, name, state }) => ({ seq, name, state })),
  };
}

function custodyOf(recording: RecordingCustody, pseudonyms: Pseudonyms, options: PseudonymsOptions): Json {
  const { recording_session_id, map_id } = recording;
  return {
    ...recording,
    recording_session_id: pseudonyms.id(recording_session_id, options),
    map_id: map_id === null ? null : pseudonyms.id(map_id, options),
  };
}

function traceOf(
  trace: DeviceSnapshot['trace'],
  pseudonyms: Pseudonyms,
  options: PseudonymsOptions,
): DeviceSnapshot['trace'] {
  const rounds = trace.rounds.map((round) => ({
    ...round,
    error: pseudonyms.code(round.error, options),
    requests: round.requests.map((request) => ({ ...request, error: pseudonyms.code(request.error, options) })),
  }));
  return { ...trace, rounds };
}

const settingForm = /^[a-z-]{1,20}$/;

function settingsOf(
  settings: NonNullable<BundleOptions['settings']>,
  pseudonyms: Pseudonyms,
  options: PseudonymsOptions,
): Json {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name,
      typeof value === 'string' && !settingForm.test(value) ? pseudonyms.text(value, options) : value,
    ]),
  );
}
