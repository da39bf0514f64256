/** The store on PostgreSQL. Any number of server processes may share it. */
import { isoNow, randomUuid, systemWorld, type World } from '../../core/world.ts';
import { createPokeEmitter, pokeOf } from '../pokes.ts';
import type { Poke, Store } from '../store.ts';
import * as credentials from './credentials.ts';
import * as accounts from './accounts.ts';
import { readChanges } from './changes.ts';
import { readEvents } from '../events/postgres-events.ts';
import { openConnections, type Pooler } from './connections.ts';
import { migrate } from './migrate.ts';
import * as deviceStatus from './device-status.ts';
import * as pairing from './pairing.ts';
import { openPokeChannel, silentChannel } from './poke-channel.ts';
import { readTableBytes } from './placements.ts';
import * as read from './read.ts';
import { listAccountIds, sweepAccount } from './retention.ts';
import * as serverKeys from '../server-keys/postgres-server-keys.ts';
import * as references from '../photos/postgres-photo-references.ts';
import * as billing from '../billing/postgres-billing.ts';
import * as webhooks from '../webhooks/postgres-webhooks.ts';
import * as photos from '../photos/postgres-photos.ts';
import { withRunSnapshot } from '../snapshot/postgres-run-snapshot.ts';
import { statement } from './statement.ts';
import { transact } from './transact.ts';

const connectionsMaxDefault = 10;

const selectOneStatement = statement({ text: 'SELECT 1' });

interface PostgresStoreOptions {
  url: string;
  /** The URL of the database that carries the pokes between the server processes. Default: `url`. */
  pokeUrl?: string | undefined;
  /** `poll`: no connection listens, and no poke is sent. Default: `listen`. */
  pokes?: 'listen' | 'poll' | undefined;
  /**
   * The pooler between this process and PostgreSQL. Without a pooler (default), each connection is a session of
   * PostgreSQL.
   */
  pooler?: Pooler | undefined;
  /** The source of epochs, and of the random delays between retries of a transaction. */
  world?: World;
  connectionsMax?: number;
  /** Called with the text of each statement, before the statement is sent. */
  onStatement?: (text: string) => void;
}

/**
 * Opens the store. Rejects with `StoreUnavailable` if the database is down. An open store recovers from outages by
 * itself.
 */
export async function openPostgresStore({
  url,
  pokeUrl,
  pokes: pokeReception,
  pooler,
  world = systemWorld,
  onStatement,
  connectionsMax = connectionsMaxDefault,
}: PostgresStoreOptions): Promise<Store> {
  const { isCitus } = await migrate(url, world);
  const connections = openConnections({ url, pooler, connectionsMax, onStatement });
  const pokes = createPokeEmitter();
  const channel =
    pokeReception === 'poll'
      ? silentChannel
      : await openPokeChannel({
          url: pokeUrl ?? url,
          ...(pokeUrl === undefined ? { connections } : {}),
          onPoke: pokes.send,
        });

  const poke = (sent: Poke) => {
    pokes.send(sent);
    channel.announce(sent);
  };

  return {
    ping: async () => void (await connections.query(selectOneStatement)),
    close: async () => {
      await channel.close();
      await connections.close();
    },
    epoch: () => accounts.readEpoch(connections),
    renewEpoch: () => accounts.beginNewHistory(connections, { epoch: randomUuid(world), now: isoNow(world) }),
    revokeAllDevicesAndTheirKeys: (now) => credentials.revokeAllDevicesAndTheirKeys(connections, now),
    onCommit: pokes.onCommit,
    pokeReception: () => (channel.isListening() ? 'listen' : 'poll'),

    createAccount: (account) => accounts.insertAccount(connections, account),
    account: (accountId) => accounts.readAccount(connections, accountId),
    isEmpty: () => accounts.hasNoAccounts(connections),
    onlyAccountId: () => accounts.findSoleAccountId(connections),
    accountIds: (query) => listAccountIds(connections, query),
    tableBytes: () => readTableBytes(connections, { isCitus }),
    sweepAccount: (accountId, retention) => sweepAccount(connections, accountId, retention),
    clientOwner: (clientId) => accounts.readClientOwner(connections, clientId),
    claimClient: (clientId, owner) => accounts.claimClient(connections, clientId, owner),
    releaseClient: (clientId, owner) => accounts.releaseClient(connections, clientId, owner),

    createToken: (token) => credentials.insertToken(connections, token),
    token: (key) => credentials.readToken(connections, key),
    markTokenUsed: (key, at) => credentials.markTokenUsed(connections, key, at),
    keys: (accountId, query) => credentials.listKeys(connections, accountId, query),
    devices: (accountId, query) => credentials.listDevices(connections, accountId, query),
    devicesWithStatus: (accountId, query) => deviceStatus.listDevicesWithStatus(connections, accountId, query),
    saveDeviceStatus: (key, write) => deviceStatus.saveDeviceStatus(connections, key, write),
    deviceCounts: (cutoffs) => deviceStatus.countDevices(connections, cutoffs),
    silentDevices: (query) => deviceStatus.findSilentDevices(connections, query),

    createPairingCode: (code) => pairing.insertPairingCode(connections, code),
    claimPairingCode: (claim) => pairing.claimPairingCode(connections, claim),
    pairingCodeOrigin: (query) => pairing.findPairingCode(connections, query),
    countPairingEvent: (failure) => pairing.countPairingEvent(connections, failure),
    uncountPairingEvent: (failure) => pairing.uncountPairingEvent(connections, failure),
    sweepPairing: (now) => pairing.sweepPairing(connections, now),

    addPhoto: (accountId, photo, limit) => photos.insertPhoto(connections, accountId, photo, limit),
    photo: (accountId, id) => photos.readPhoto(connections, accountId, id),
    claimUpload: (accountId, id, claim) => photos.claimUpload(connections, accountId, id, claim),
    advanceUpload: (accountId, id, advance) => photos.advanceUpload(connections, accountId, id, advance),
    releaseUpload: (accountId, id, claim) => photos.releaseUpload(connections, accountId, id, claim),
    async finishPhoto(accountId, id, finish) {
      const version = await photos.finishPhoto(connections, accountId, id, finish);
      if (version !== undefined) poke({ accountId, version });
      return version !== undefined;
    },
    correctPhoto: (accountId, photo) => photos.correctPhoto(connections, accountId, photo),
    isPhotoReferenced: (accountId, id) => references.isPhotoReferenced(connections, accountId, id),
    photosOfRun: (accountId, runId) => references.listPhotosOfRun(connections, accountId, runId),
    awaitedPhotos: (accountId, query) => references.listAwaitedPhotos(connections, accountId, query),
    storedPhotoIds: (accountId, query) => references.listStoredIds(connections, accountId, query),
    markUnreferenced: (accountId, marked) => references.markUnreferenced(connections, accountId, marked),
    unmarkPhoto: (accountId, id) => references.unmarkPhoto(connections, accountId, id),
    unreferencedPhotos: (accountId, query) => references.listUnreferencedPhotos(connections, accountId, query),
    claimUnreferenced: (accountId, id, photo) => references.claimUnreferenced(connections, accountId, id, photo),
    restartUpload: (accountId, id, photo) => photos.restartUpload(connections, accountId, id, photo),
    removePhoto: (accountId, id, claim) => photos.deletePhoto(connections, accountId, id, claim),
    idleUploads: (accountId, query) => photos.listIdleUploads(connections, accountId, query),

    readOrStoreWebhookKey: (made) => webhooks.readOrStoreWebhookKey(connections, made),
    webhooks: (accountId) => webhooks.readWebhooks(connections, accountId),
    webhook: (accountId, webhookId) => webhooks.readWebhook(connections, accountId, webhookId),
    saveDelivery: (accountId, save) => webhooks.saveDelivery(connections, accountId, save),
    putDelivery: (accountId, delivery) => webhooks.putDelivery(connections, accountId, delivery),
    delivery: (accountId, key) => webhooks.readDelivery(connections, accountId, key),
    deliveries: (accountId, query) => webhooks.listDeliveries(connections, accountId, query),
    addWebhookAccount: (bucket, accountId) => webhooks.insertWebhookAccount(connections, bucket, accountId),
    removeWebhookAccount: (bucket, accountId) => webhooks.deleteWebhookAccount(connections, bucket, accountId),
    webhookBuckets: () => webhooks.listWebhookBuckets(connections),
    webhookAccounts: (bucket) => webhooks.listWebhookAccounts(connections, bucket),
    leaseBucket: (lease) => webhooks.leaseBucket(connections, lease),

    billing: (accountId) => billing.readBilling(connections, accountId),
    claimCustomer: (customerId, accountId) => billing.claimCustomer(connections, customerId, accountId),
    customerAccount: (customerId) => billing.readCustomerAccount(connections, customerId),
    customers: (query) => billing.listCustomers(connections, query),

    serverKeys: () => serverKeys.readServerKeys(connections),
    addServerKey: (key) => serverKeys.insertServerKey(connections, key),
    removeServerKey: (keyId) => serverKeys.deleteServerKey(connections, keyId),

    async transact(accountId, readSet, decide) {
      const { writes, result } = await transact(connections, { accountId, readSet, decide, world });
      if (writes) poke(pokeOf(accountId, writes));
      return result;
    },

    map: (accountId, mapId) => read.readMap(connections, accountId, mapId),
    mapsByIds: (accountId, query) => read.readMapsByIds(connections, accountId, query),
    maps: (accountId, query) => read.listMaps(connections, accountId, query),
    run: (accountId, runId) => read.readRun(connections, accountId, runId),
    runsByIds: (accountId, query) => read.readRunsByIds(connections, accountId, query),
    runs: (accountId, query) => read.listRuns(connections, accountId, query),
    changes: (accountId, query) => readChanges(connections, accountId, query),
    startOfNewestRuns: (accountId, runsMax) => read.readStartOfNewestRuns(connections, accountId, runsMax),
    runsInScope: (accountId, query) => read.readRunsInScope(connections, accountId, query),
    withRunSnapshot: (...args) => withRunSnapshot(connections, ...args),
    haveMoreRunsChanged: (accountId, query) => read.haveMoreRunsChanged(connections, accountId, query),
    events: (accountId, query) => readEvents(connections, accountId, query),
    pushAnswers: (accountId, query) => read.readPushAnswers(connections, accountId, query),
  };
}
