/**
 * The embedded store: one SQLite file in the data folder. Statements run synchronously, so the transactions of this
 * process run in sequence. Other processes may use the file, too. SQLite's write lock orders all writers, but commits
 * of other processes send no pokes to this process.
 */
import { join } from 'node:path';
import { systemWorld, type World } from '../../core/world.ts';
import { createPokeEmitter, pokeOf } from '../pokes.ts';
import { StoreUnavailable, type Store } from '../store.ts';
import * as credentials from './credentials.ts';
import * as accounts from './accounts.ts';
import { readChanges } from './changes.ts';
import { readEvents } from '../events/sqlite-events.ts';
import { createCommitQueue } from './commits.ts';
import { databaseFileName, makeDataFolder } from './data-folder.ts';
import * as deviceStatus from './device-status.ts';
import { openDatabase, type Database, type DatabaseOptions } from './database.ts';
import { loadReadSet } from './load.ts';
import { migrate } from './migrate.ts';
import * as pairing from './pairing.ts';
import * as read from './read.ts';
import { readDatabaseBytes, listAccountIds, sweepAccount } from './retention.ts';
import { revokeAllDevicesAndTheirKeys } from './revocations.ts';
import { saveWrites } from './save.ts';
import * as serverKeys from '../server-keys/sqlite-server-keys.ts';
import * as references from '../photos/sqlite-photo-references.ts';
import * as billing from '../billing/sqlite-billing.ts';
import * as webhooks from '../webhooks/sqlite-webhooks.ts';
import * as photos from '../photos/sqlite-photos.ts';
import { openSnapshotConnections } from '../snapshot/sqlite-run-snapshot.ts';

const busyMsMaxDefault = 5_000;

interface SqliteStoreOptions extends Partial<DatabaseOptions> {
  dataDir: string;
  /** Gives the random bytes of epochs, and the current time, from which `renewEpoch` computes versions. */
  world?: World;
}

export async function openSqliteStore({
  dataDir,
  world = systemWorld,
  ...options
}: SqliteStoreOptions): Promise<Store> {
  makeDataFolder(dataDir);
  const openConnection = () =>
    openDatabase(join(dataDir, databaseFileName), {
      busyMsMax: options.busyMsMax ?? busyMsMaxDefault,
      synchronous: options.synchronous ?? 'FULL',
    });
  const database = await openConnection();
  try {
    migrate(database, world);
  } catch (error) {
    database.close();
    throw error;
  }
  const commits = createCommitQueue(database);
  const pokes = createPokeEmitter();
  const snapshots = openSnapshotConnections(openConnection);

  return {
    ping: async () => void accounts.hasNoAccounts(database),
    close: async () => {
      await snapshots.close();
      commits.finish();
      moveLogIntoFile(database);
      database.close();
    },
    epoch: async () => accounts.readEpoch(database),
    renewEpoch: () => commits.commit(() => accounts.beginNewHistory(database, world)),
    revokeAllDevicesAndTheirKeys: (now) => commits.commit(() => revokeAllDevicesAndTheirKeys(database, now)),
    onCommit: pokes.onCommit,
    pokeReception: () => 'local',

    createAccount: (account) => commits.commit(() => accounts.insertAccount(database, account)),
    account: async (accountId) => accounts.readAccount(database, accountId),
    isEmpty: async () => accounts.hasNoAccounts(database),
    onlyAccountId: async () => accounts.findSoleAccountId(database),
    accountIds: async (query) => listAccountIds(database, query),
    tableBytes: async () => [{ table: 'all', bytes: readDatabaseBytes(database) }],
    sweepAccount: (accountId, retention) => commits.commit(() => sweepAccount(database, accountId, retention)),
    claimClient: (clientId, owner) => commits.commit(() => accounts.claimClient(database, clientId, owner)),
    releaseClient: (clientId, owner) => commits.commit(() => accounts.releaseClient(database, clientId, owner)),
    clientOwner: async (clientId) => accounts.readClientOwner(database, clientId),

    createToken: (token) => commits.commit(() => credentials.insertToken(database, token)),
    token: async (key) => credentials.readToken(database, key),
    markTokenUsed: (key, at) => commits.commit(() => credentials.markTokenUsed(database, key, at)),
    keys: async (accountId, query) => credentials.listKeys(database, accountId, query),
    devices: async (accountId, query) => credentials.listDevices(database, accountId, query),
    devicesWithStatus: async (accountId, query) => deviceStatus.listDevicesWithStatus(database, accountId, query),
    saveDeviceStatus: (key, write) => commits.commit(() => deviceStatus.saveDeviceStatus(database, key, write)),
    deviceCounts: async (cutoffs) => deviceStatus.countDevices(database, cutoffs),
    silentDevices: async (query) => deviceStatus.findSilentDevices(database, query),

    createPairingCode: (code) => commits.commit(() => pairing.insertPairingCode(database, code)),
    claimPairingCode: (claim) => commits.commit(() => pairing.claimPairingCode(database, claim)),
    pairingCodeOrigin: async (query) => pairing.findPairingCode(database, query),
    countPairingEvent: (failure) => commits.commit(() => pairing.countPairingEvent(database, failure)),
    uncountPairingEvent: (failure) => commits.commit(() => pairing.uncountPairingEvent(database, failure)),
    sweepPairing: (now) => commits.commit(() => pairing.sweepPairing(database, now)),

    addPhoto: (accountId, photo, limit) => commits.commit(() => photos.insertPhoto(database, accountId, photo, limit)),
    photo: async (accountId, id) => photos.readPhoto(database, accountId, id),
    claimUpload: (accountId, id, claim) => commits.commit(() => photos.claimUpload(database, accountId, id, claim)),
    advanceUpload: (accountId, id, advance) =>
      commits.commit(() => photos.advanceUpload(database, accountId, id, advance)),
    releaseUpload: (accountId, id, claim) => commits.commit(() => photos.releaseUpload(database, accountId, id, claim)),
    async finishPhoto(accountId, id, finish) {
      const version = await commits.commit(() => photos.finishPhoto(database, accountId, id, finish));
      if (version !== undefined) pokes.send({ accountId, version });
      return version !== undefined;
    },
    correctPhoto: (accountId, photo) => commits.commit(() => photos.correctPhoto(database, accountId, photo)),
    isPhotoReferenced: async (accountId, id) => references.isPhotoReferenced(database, accountId, id),
    photosOfRun: async (accountId, runId) => references.listPhotosOfRun(database, accountId, runId),
    awaitedPhotos: async (accountId, query) => references.listAwaitedPhotos(database, accountId, query),
    storedPhotoIds: async (accountId, query) => references.listStoredIds(database, accountId, query),
    markUnreferenced: (accountId, marked) =>
      commits.commit(() => references.markUnreferenced(database, accountId, marked)),
    unmarkPhoto: (accountId, id) => commits.commit(() => references.unmarkPhoto(database, accountId, id)),
    unreferencedPhotos: async (accountId, query) => references.listUnreferencedPhotos(database, accountId, query),
    claimUnreferenced: (accountId, id, photo) =>
      commits.commit(() => references.claimUnreferenced(database, accountId, id, photo)),
    restartUpload: (accountId, id, photo) => commits.commit(() => photos.restartUpload(database, accountId, id, photo)),
    removePhoto: (accountId, id, claim) => commits.commit(() => photos.deletePhoto(database, accountId, id, claim)),
    idleUploads: async (accountId, query) => photos.listIdleUploads(database, accountId, query),

    readOrStoreWebhookKey: (made) => commits.commit(() => webhooks.readOrStoreWebhookKey(database, made)),
    webhooks: async (accountId) => webhooks.readWebhooks(database, accountId),
    webhook: async (accountId, webhookId) => webhooks.readWebhook(database, accountId, webhookId),
    saveDelivery: (accountId, save) =>
      commits.commitInBackground(() => webhooks.saveDelivery(database, accountId, save)),
    putDelivery: (accountId, delivery) => commits.commit(() => webhooks.putDelivery(database, accountId, delivery)),
    delivery: async (accountId, key) => webhooks.readDelivery(database, accountId, key),
    deliveries: async (accountId, query) => webhooks.listDeliveries(database, accountId, query),
    addWebhookAccount: (bucket, accountId) =>
      commits.commit(() => webhooks.insertWebhookAccount(database, bucket, accountId)),
    removeWebhookAccount: (bucket, accountId) =>
      commits.commit(() => webhooks.deleteWebhookAccount(database, bucket, accountId)),
    webhookBuckets: async () => webhooks.listWebhookBuckets(database),
    webhookAccounts: async (bucket) => webhooks.listWebhookAccounts(database, bucket),
    leaseBucket: (lease) => commits.commit(() => webhooks.leaseBucket(database, lease)),

    billing: async (accountId) => billing.readBilling(database, accountId),
    claimCustomer: (customerId, accountId) =>
      commits.commit(() => billing.claimCustomer(database, customerId, accountId)),
    customerAccount: async (customerId) => billing.readCustomerAccount(database, customerId),
    customers: async (query) => billing.listCustomers(database, query),

    serverKeys: async () => serverKeys.readServerKeys(database),
    addServerKey: (key) => commits.commit(() => serverKeys.insertServerKey(database, key)),
    removeServerKey: (keyId) => commits.commit(() => serverKeys.deleteServerKey(database, keyId)),

    async transact(accountId, readSet, decide) {
      const { writes, result } = await commits.commit(() => {
        const decision = decide(loadReadSet(database, accountId, readSet));
        if (decision.writes) saveWrites(database, accountId, decision.writes);
        return decision;
      });
      if (writes) pokes.send(pokeOf(accountId, writes));
      return result;
    },

    map: async (accountId, mapId) => read.readMap(database, accountId, mapId),
    mapsByIds: async (accountId, query) => read.readMapsByIds(database, accountId, query),
    maps: async (accountId, query) => read.listMaps(database, accountId, query),
    run: async (accountId, runId) => read.readRun(database, accountId, runId),
    runsByIds: async (accountId, query) => read.readRunsByIds(database, accountId, query),
    runs: async (accountId, query) => read.listRuns(database, accountId, query),
    changes: async (accountId, query) => readChanges(database, accountId, query),
    startOfNewestRuns: async (accountId, runsMax) => read.readStartOfNewestRuns(database, accountId, runsMax),
    runsInScope: async (accountId, query) => read.readRunsInScope(database, accountId, query),
    withRunSnapshot: snapshots.withRunSnapshot,
    haveMoreRunsChanged: async (accountId, query) => read.haveMoreRunsChanged(database, accountId, query),
    events: async (accountId, query) => readEvents(database, accountId, query),
    pushAnswers: async (accountId, query) => read.readPushAnswers(database, accountId, query),
  };
}

/**
 * Empties the write-ahead log before the last connection closes. Node 20 closes the file only after garbage collection,
 * and its log would stay until then. The busy timeout is 0, since another process may use the log.
 */
function moveLogIntoFile(database: Database): void {
  try {
    database.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    // If the log cannot be emptied, it keeps all commits, and the next start reads it.
    if (!(error instanceof StoreUnavailable)) throw error;
  }
}
