/** Defines the schemas of the collections that `replicateMaps` and `replicateRuns` fill. */
import type { RxJsonSchema } from 'rxdb';
import { mapFields, runFields } from '../generated/rxdb-fields.ts';
import type { MapDocument, RunDocument } from './records.ts';

/** A time in ISO 8601. RxDB indexes a text only if its longest length is known. */
const timeField = { type: 'string', maxLength: 24 } as const;
const mapIdField = { type: 'string', maxLength: 36 } as const;
const pendingField = { type: 'boolean' } as const;

const { deleted: _deleted, deleted_at: _deletedAt, ...mapProperties } = mapFields.properties;
const { revision: steps_revision, ...runProperties } = runFields.properties;

/** The schema of maps, with indexes on `created_at`, `updated_at` and `pending`. */
export const mapsSchema: RxJsonSchema<MapDocument> = {
  title: 'Map',
  version: 0,
  primaryKey: 'id',
  type: 'object',
  properties: { ...mapProperties, id: mapIdField, created_at: timeField, updated_at: timeField, pending: pendingField },
  required: [...mapFields.required.filter((name) => name in mapProperties), 'pending'] as (keyof MapDocument)[],
  indexes: ['created_at', 'updated_at', 'pending'],
};

/** The schema of runs, with indexes on `created_at`, `pending`, and `map_id` with `number`. */
export const runsSchema: RxJsonSchema<RunDocument> = {
  title: 'Run',
  version: 0,
  primaryKey: 'id',
  type: 'object',
  properties: {
    ...runProperties,
    steps_revision,
    id: { type: 'string', maxLength: 16 },
    map_id: mapIdField,
    number: { type: 'integer', minimum: 1, maximum: 2 ** 31, multipleOf: 1 },
    created_at: timeField,
    pending: pendingField,
  },
  required: [...runFields.required, 'pending'],
  indexes: ['created_at', 'pending', ['map_id', 'number']],
};
