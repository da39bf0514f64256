import type { FullMap } from 'gemba';
import type { Gemba } from 'gemba';
import type { Pending } from 'gemba';
import type { ReplicationOptions } from 'rxdb';
import type { RunDoc } from 'gemba';
import type { RxCollection } from 'rxdb';
import type { RxJsonSchema } from 'rxdb';
import { RxReplicationState } from 'rxdb/plugins/replication';

/** A checkpoint is empty, since RxDB would move it even past documents that the collection's storage refused. */
export declare type GembaCheckpoint = Record<string, never>;

/** The state of a replication. Closing the engine, the collection or its database cancels it. */
export declare type GembaReplication<Doc> = RxReplicationState<Doc, GembaCheckpoint>;

/**
 * A map with its stages, analytics and `pending`. It has no `deleted`, which RxDB reserves: maps in the recycle bin are
 * left out.
 */
export declare type MapDocument = Omit<Pending<FullMap>, 'deleted' | 'deleted_at'>;

/** The schema of maps, with indexes on `created_at`, `updated_at` and `pending`. */
export declare const mapsSchema: RxJsonSchema<MapDocument>;

/**
 * Makes the collection follow the maps of the engine, with their stages and unsent changes, without the recycle bin.
 * Throws if the collection is already replicated.
 */
export declare const replicateMaps: (options: ReplicateOptions<MapDocument>) => GembaReplication<MapDocument>;

/** All options but `gemba` and `collection` are options of RxDB's `replicateRxCollection`. */
export declare interface ReplicateOptions<Doc> extends Pick<
  ReplicationOptions<Doc, GembaCheckpoint>,
  'autoStart' | 'retryTime' | 'waitForLeadership'
> {
  gemba: Gemba;
  /**
   * A collection with the schema `mapsSchema` or `runsSchema`. It refuses writes of the app until the replication is
   * cancelled.
   */
  collection: RxCollection<Doc, unknown, unknown, unknown>;
}

/**
 * Makes the collection follow all runs on the device, with their steps and unsent changes. Throws if the collection is
 * already replicated.
 */
export declare const replicateRuns: (options: ReplicateOptions<RunDocument>) => GembaReplication<RunDocument>;

/**
 * A run with its steps and `pending`. Its `id` is the text `String(run.id)`, and `revision` is called `steps_revision`,
 * since RxDB needs text ids and reserves `revision`.
 */
export declare type RunDocument = Omit<Pending<RunDoc>, 'id' | 'revision'> & {
  id: string;
  steps_revision?: number;
};

/** The schema of runs, with indexes on `created_at`, `pending`, and `map_id` with `number`. */
export declare const runsSchema: RxJsonSchema<RunDocument>;

export {};
