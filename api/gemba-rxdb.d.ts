import type { FullMap } from 'gemba';
import type { Gemba } from 'gemba';
import type { Pending } from 'gemba';
import type { ReplicationOptions } from 'rxdb';
import type { RunDoc } from 'gemba';
import type { RxCollection } from 'rxdb';
import type { RxJsonSchema } from 'rxdb';
import { RxReplicationState } from 'rxdb/plugins/replication';

/** Empty, since RxDB moves its checkpoint past documents that its storage refused. */
export declare type GembaCheckpoint = Record<string, never>;

/** The state of a replication. Cancelled when the engine, the collection or its database is closed. */
export declare type GembaReplication<Doc> = RxReplicationState<Doc, GembaCheckpoint>;

/** A map with its stages, its analytics and `pending`. RxDB reserves `deleted`, and no map of the recycle bin is here. */
export declare type MapDocument = Omit<Pending<FullMap>, 'deleted' | 'deleted_at'>;

/** Indexed by `created_at`, `updated_at` and `pending`. */
export declare const mapsSchema: RxJsonSchema<MapDocument>;

/**
 * Makes the collection show the maps of the engine that are not in the recycle bin, with their stages and unsent changes.
 * Throws if the collection is replicated already.
 */
export declare const replicateMaps: (options: ReplicateOptions<MapDocument>) => GembaReplication<MapDocument>;

/** The options besides `gemba` and `collection` are those of RxDB's `replicateRxCollection`. */
export declare interface ReplicateOptions<Doc> extends Pick<
  ReplicationOptions<Doc, GembaCheckpoint>,
  'autoStart' | 'retryTime' | 'waitForLeadership'
> {
  gemba: Gemba;
  /** A collection with the schema `mapsSchema` or `runsSchema`. It takes no other writes until the replication is cancelled. */
  collection: RxCollection<Doc, unknown, unknown, unknown>;
}

/**
 * Makes the collection show all runs that are on the device, with their steps and unsent changes. Throws if the collection
 * is replicated already.
 */
export declare const replicateRuns: (options: ReplicateOptions<RunDocument>) => GembaReplication<RunDocument>;

/** A run with its steps and `pending`. RxDB needs an id that is text, `String(run.id)`, and reserves `revision`. */
export declare type RunDocument = Omit<Pending<RunDoc>, 'id' | 'revision'> & {
  id: string;
  steps_revision?: number;
};

/** Indexed by `created_at`, `pending`, and `map_id` with `number`. */
export declare const runsSchema: RxJsonSchema<RunDocument>;

export {};
