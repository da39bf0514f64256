/** Refuses an app's writes to a collection that follows an engine. RxDB's replication writes without these hooks. */
import type { RxCollection } from 'rxdb';

type AnyCollection = Pick<RxCollection, 'name' | 'preInsert' | 'preSave' | 'preRemove'>;

interface Replication {
  isStopped(): boolean;
}

/** The latest replication of each collection that refuses writes. */
const replications = new WeakMap<object, Replication>();

export const isReplicated = (collection: object): boolean => replications.get(collection)?.isStopped() === false;

/** Refuses writes until the replication is cancelled. `verbs` names the verbs to call instead. */
export function refuseWrites(collection: AnyCollection, replication: Replication, verbs: string): void {
  const isFirst = !replications.has(collection);
  replications.set(collection, replication);
  if (!isFirst) return;
  const refuse = () => {
    if (!isReplicated(collection)) return;
    throw new Error(`The collection ${collection.name} follows Gemba and takes no writes. Call ${verbs} instead.`);
  };
  collection.preInsert(refuse, false);
  collection.preSave(refuse, false);
  collection.preRemove(refuse, false);
}
