/** Makes an RxCollection follow an engine: an RxDB replication that pulls from the engine and pushes nothing. */
import type { ReplicationOptions, RxCollection } from 'rxdb';
import { replicateRxCollection, type RxReplicationState } from 'rxdb/plugins/replication';
import type { Gemba } from '../client.ts';
import { PullSource, type GembaCheckpoint } from './pull-source.ts';
import {
  mapRecordsOf,
  runRecordsOf,
  type Identified,
  type MapDocument,
  type Records,
  type RunDocument,
} from './records.ts';
import { isReplicated, refuseWrites } from './refuse-writes.ts';
import { retryRefused } from './retry-refused.ts';

/** All options but `gemba` and `collection` are options of RxDB's `replicateRxCollection`. */
export interface ReplicateOptions<Doc> extends Pick<
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

/** The state of a replication. Closing the engine, the collection or its database cancels it. */
export type GembaReplication<Doc> = RxReplicationState<Doc, GembaCheckpoint>;

/**
 * Makes the collection follow the maps of the engine, with their stages and unsent changes, without the recycle bin.
 * Throws if the collection is already replicated.
 */
export const replicateMaps = (options: ReplicateOptions<MapDocument>): GembaReplication<MapDocument> =>
  replicate(options, mapRecordsOf(options.gemba), { kind: 'maps', verbs: 'createMap(), updateMap() or deleteMap()' });

/**
 * Makes the collection follow all runs on the device, with their steps and unsent changes. Throws if the collection is
 * already replicated.
 */
export const replicateRuns = (options: ReplicateOptions<RunDocument>): GembaReplication<RunDocument> =>
  replicate(options, runRecordsOf(options.gemba), { kind: 'runs', verbs: 'updateRun(), correctRun() or deleteRun()' });

function replicate<Doc extends Identified>(
  { gemba: _gemba, collection, ...options }: ReplicateOptions<Doc>,
  records: Records<Doc>,
  { kind, verbs }: { kind: string; verbs: string },
): GembaReplication<Doc> {
  if (isReplicated(collection)) throw new Error(`The collection ${collection.name} follows Gemba already.`);
  const source = new PullSource({ records, collection, onClosed: () => void replication.cancel() });
  const replication: GembaReplication<Doc> = replicateRxCollection<Doc, GembaCheckpoint>({
    ...options,
    collection,
    replicationIdentifier: `gemba-${kind}`,
    pull: {
      batchSize: Number.MAX_SAFE_INTEGER,
      handler: () => source.pull(),
      stream$: source.resync$,
    },
  });
  replication.received$.subscribe(({ id }) => source.confirm(id));
  retryRefused(replication, source);
  replication.canceled$.subscribe((isCancelled) => isCancelled && source.stop());
  refuseWrites(collection, replication, verbs);
  return replication;
}
