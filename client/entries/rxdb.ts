/** The package's entry `gemba/rxdb`, for apps that use RxDB. */
export type { GembaCheckpoint } from '../rxdb/pull-source.ts';
export type { MapDocument, RunDocument } from '../rxdb/records.ts';
export { replicateMaps, replicateRuns, type GembaReplication, type ReplicateOptions } from '../rxdb/replicate.ts';
export { mapsSchema, runsSchema } from '../rxdb/schemas.ts';
