/** Makes the support bundle from a snapshot, by the field rules of bundle-fields.ts. */
import {
  baseFields,
  custodyFields,
  engineFields,
  journalFields,
  copyLayers,
  outboxFields,
  platformFields,
  statusFields,
  storageFields,
  traceFields,
} from './bundle-fields.ts';
import {
  copyListedFields,
  replaceFieldName,
  replaceText,
  type FieldRules,
  type Replacements,
} from './listed-fields.ts';
import type { Pseudonyms } from './pseudonyms.ts';
import type { DeviceSnapshot, Json, RecordLayers } from '../shapes.ts';

export interface BundleOptions {
  /** True to include names, notes and step texts unchanged. Default: pseudonyms replace them. */
  texts?: boolean;
  /**
   * Settings of the app to include. Texts are replaced unless `texts` is true, so pass a choice as a flag or a number.
   */
  settings?: Readonly<Record<string, string | number | boolean | null>>;
}

/** The support bundle. A reader must ignore unknown fields. */
export interface SupportBundle extends Omit<DeviceSnapshot, 'status' | 'outbox' | 'custody'> {
  format: 'gemba-support';
  version: 1;
  /** True if people's texts are included unchanged. */
  texts: boolean;
  settings: Json;
  status: Json;
  outbox: Json;
  custody: Json;
  /** At most 20 records that pending mutations change, each as last pulled and with the mutations applied. */
  records: Json[];
}

export const bundledRecordsMax = 20;

interface BundleParts {
  snapshot: DeviceSnapshot;
  records: readonly RecordLayers[];
  pseudonyms: Pseudonyms;
}

export function supportBundleOf(
  { snapshot, records, pseudonyms }: BundleParts,
  { texts = false, settings = {} }: BundleOptions,
): SupportBundle {
  const { taken_at, engine, platform, status, outbox, base, custody, trace, journal, storage } = snapshot;
  const replacements = { pseudonyms, options: { texts } };
  const list = <Shape extends object, Listed = Shape>(value: Shape, rules: FieldRules<Shape, Listed>) =>
    copyListedFields(value, rules, replacements);
  return {
    format: 'gemba-support',
    version: 1,
    texts,
    taken_at,
    engine: list(engine, engineFields),
    platform: list(platform, platformFields),
    settings: copySettings(settings, replacements),
    status: list(status, statusFields),
    outbox: list(outbox, outboxFields),
    base: list(base, baseFields),
    records: records.map((layers) => copyLayers(layers, replacements)),
    custody: list(custody, custodyFields),
    trace: list(trace, traceFields),
    journal: list(journal, journalFields),
    storage: list(storage, storageFields),
  };
}

const copySettings = (settings: NonNullable<BundleOptions['settings']>, replacements: Replacements): Json =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      replaceFieldName(name, replacements),
      typeof value === 'string' ? replaceText(value, replacements) : value,
    ]),
  );
