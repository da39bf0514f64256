/** Devices and tokens change here, one request to a transaction: they change rarely, and under the account's lock like its records. */
import { accountLimitsDefault } from '../store/account-limits.ts';
import type { AccessWants } from '../store/access.ts';
import type { Store, TransactionWrites } from '../store/store.ts';
import { Access } from './device-set.ts';
import type { RestAnswer } from '../core/reply.ts';
import { idempotentUnit, type IdempotencyKey } from '../mutate/rest-unit.ts';
import { noWants } from '../mutate/read-set.ts';
import { WorkingSet } from '../mutate/working-set.ts';
import { isoNow, type World } from '../core/world.ts';
import { writerUnit, type Writer } from '../mutate/writer.ts';

interface AccessChange {
  wants: Partial<AccessWants>;
  idempotency?: IdempotencyKey | undefined;
  /** Pure: it may run again. */
  decide(access: Access, now: string): RestAnswer;
}

/** Rejects as `Store.transact` does; the account has to exist. */
export function accessTransaction(
  { store, world }: { store: Store; world: World },
  writer: Writer,
  { wants, idempotency, decide }: AccessChange,
): Promise<RestAnswer> {
  const now = isoNow(world);
  const { accountId } = writer;
  const allWants = {
    ...noWants(),
    idempotencyKeys: idempotency ? [idempotency.key] : [],
    tokenHashes: writer.tokenHash === null ? [] : [writer.tokenHash],
    access: { deviceIds: [], keyIds: [], creators: [], ...wants },
  };
  return store.transact(accountId, allWants, (loaded) => {
    const set = new WorkingSet(loaded, accountLimitsDefault);
    const access = new Access(loaded.account, loaded.access!);
    const once = idempotentUnit({ idempotency, unit: { wants: noWants(), decide: () => decide(access, now) } });
    const result = writerUnit(writer, once).decide(set, now);
    const records = set.writes();
    const changed = access.writes();
    if (!records && !changed) return { result };
    const writes: TransactionWrites = {
      ...(records ?? noRecords(loaded.account)),
      ...(changed ? { access: changed } : {}),
    };
    return { writes, result };
  });
}

function noRecords(account: TransactionWrites['account']): TransactionWrites {
  const { version, next_id, live_maps, bytes, keys_made, key_bytes_made } = account;
  return {
    account: { version, next_id, live_maps, bytes, keys_made, key_bytes_made },
    maps: [],
    runs: [],
    stageIds: [],
    clients: [],
    pushAnswers: [],
    idempotentAnswers: [],
  };
}
