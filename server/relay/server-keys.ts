/**
 * The key pairs to which devices seal requests. The store keeps them, so that all server processes have the same keys.
 * Each request reads the keys again, so a process also uses the keys that other processes add. The server makes its
 * first keys when the public list is first read.
 */
import { assert } from '../../shared/domain/assert.ts';
import { fromBase64url, toBase64url } from '../../shared/relay/base64url.ts';
import type { Bytes } from '../../shared/relay/byte-reader.ts';
import { aeadIds, encodeKeyList, type KemName, type PublicKey } from '../../shared/relay/key-list.ts';
import { deriveKeyPair, importKeyPair } from '../../shared/relay/key-pair.ts';
import { keyIdOf, openRequest, type OpenedRequest } from '../../shared/relay/sealing.ts';
import type { World } from '../core/world.ts';
import type { ServerKeyRow } from '../store/server-keys/server-key-row.ts';
import type { Store } from '../store/store.ts';

/** A replaced key stays usable for this time, so that a device that is out of reach for a year can still seal to it. */
export const oldKeyDaysMax = 400;
const msPerDay = 24 * 3_600_000;
const keyIdCount = 256;
const seedBytes = 64;

/** In the order of preference: a device uses the first kind that its platform supports. */
const kemNames: readonly KemName[] = ['x25519', 'p256'];

export interface ServerKeys {
  /** Returns the newest key of each kind as `application/ohttp-keys`. Makes the first keys. */
  publicList(): Promise<Bytes>;
  /** Opens a sealed request. Resolves to `unknown_key` if the server never had the key, or has it no more. */
  open(sealed: Bytes): Promise<OpenedWithKey | 'unknown_key' | 'malformed'>;
  /** Adds a key of each kind, and removes the keys that a newer key replaced long ago. */
  rotate(): Promise<{ added: number[]; removed: number[] }>;
  /** Removes a key whose private part others know. The newest key of a kind stays: it must be replaced first. */
  remove(keyId: number): Promise<'removed' | 'unknown' | 'newest'>;
}

export interface OpenedWithKey extends OpenedRequest {
  /** False if the device should learn of a newer key. */
  isNewestKey: boolean;
}

export function createServerKeys({ store, world }: { store: Store; world: World }): ServerKeys {
  const imported = new Map<string, Promise<CryptoKeyPair>>();

  const pairOf = ({ key_id, kem, private_key, public_key }: ServerKeyRow): Promise<CryptoKeyPair> => {
    const name = `${key_id} ${public_key}`;
    const known = imported.get(name);
    if (known) return known;
    const pair = importKeyPair(kem, { privateKey: bytesOf(private_key), publicKey: bytesOf(public_key) });
    imported.set(name, pair);
    // Forget a failed import, so that the next request tries it again.
    pair.catch(() => imported.delete(name));
    return pair;
  };

  /**
   * Adds a key under the first free id of `keyIds`; returns undefined if none is free. The key's `created_at` is later
   * than the `created_at` of all `rows`.
   */
  const addKey = async (kem: KemName, keyIds: readonly number[], rows: readonly ServerKeyRow[]) => {
    const newestMs = Math.max(...rows.map(({ created_at }) => Date.parse(created_at)));
    const created_at = new Date(Math.max(world.now(), newestMs + 1)).toISOString();
    const { privateKey, publicKey } = await deriveKeyPair(kem, Uint8Array.from(world.randomBytes(seedBytes)));
    const keys = { private_key: toBase64url(privateKey), public_key: toBase64url(publicKey) };
    for (const key_id of keyIds) {
      if (await store.addServerKey({ key_id, kem, ...keys, created_at })) return key_id;
    }
    return undefined;
  };

  const usable = async (): Promise<ServerKeyRow[]> => usableKeys(await store.serverKeys(), world.now());

  return {
    async publicList() {
      const known = newestOfEachKind(await usable());
      if (known.length === kemNames.length) return encodeKeyList(known.map(publicKeyOf));
      // Several processes may add keys at once. All processes try the same id, so only the first one adds its key.
      for (const [index, kem] of kemNames.entries()) {
        if (!known.some((row) => row.kem === kem)) await addKey(kem, [index], known);
      }
      return encodeKeyList(newestOfEachKind(await usable()).map(publicKeyOf));
    },

    async open(sealed) {
      const keyId = keyIdOf(sealed);
      if (keyId === undefined) return 'malformed';
      const rows = await usable();
      const row = rows.find(({ key_id }) => key_id === keyId);
      if (!row) return 'unknown_key';
      const opened = await openRequest({ kem: row.kem, pair: await pairOf(row) }, sealed);
      if (!opened) return 'malformed';
      return { ...opened, isNewestKey: newestOfEachKind(rows).some(({ key_id }) => key_id === keyId) };
    },

    async rotate() {
      const rows = await store.serverKeys();
      const kept = usableKeys(rows, world.now());
      const removed = rows.filter((row) => !kept.includes(row)).map(({ key_id }) => key_id);
      for (const keyId of removed) await store.removeServerKey(keyId);
      if (kept.length + kemNames.length > keyIdCount) throw new Error('There is no free id for a key of each kind');
      const added: number[] = [];
      // After a restore, a device may still seal to a key that is lost. A random id hardly ever equals the id of that
      // key.
      const [firstId = 0] = world.randomBytes(1);
      for (const kem of kemNames) {
        const keyId = await addKey(kem, idsFrom(firstId + added.length), rows);
        assert(keyId !== undefined, 'an id is free');
        added.push(keyId);
      }
      return { added, removed };
    },

    async remove(keyId) {
      const rows = await store.serverKeys();
      if (!rows.some(({ key_id }) => key_id === keyId)) return 'unknown';
      // Keep the newest key. After its removal, the next public list would make a new key under the same id, and
      // requests sealed to the removed key would look tampered with.
      if (newestOfEachKind(rows).some(({ key_id }) => key_id === keyId)) return 'newest';
      await store.removeServerKey(keyId);
      return 'removed';
    },
  };
}

const bytesOf = (text: string): Bytes => {
  const bytes = fromBase64url(text);
  assert(bytes, 'a stored key is base64url');
  return bytes;
};

const publicKeyOf = ({ key_id, kem, public_key }: ServerKeyRow): PublicKey => ({
  id: key_id,
  kem,
  bytes: bytesOf(public_key),
  aeads: aeadIds,
});

/** Lists all ids, beginning with `first`. */
const idsFrom = (first: number): number[] =>
  Array.from({ length: keyIdCount }, (_, index) => (first + index) % keyIdCount);

function newestOfEachKind(newestFirst: readonly ServerKeyRow[]): ServerKeyRow[] {
  return kemNames.flatMap((kem) => newestFirst.find((row) => row.kem === kem) ?? []);
}

/** Leaves out each key that a newer key of the same kind replaced 400 days ago or earlier. */
function usableKeys(newestFirst: readonly ServerKeyRow[], now: number): ServerKeyRow[] {
  return newestFirst.filter((row, index) => {
    const successor = newestFirst.slice(0, index).findLast(({ kem }) => kem === row.kem);
    return !successor || now - Date.parse(successor.created_at) < oldKeyDaysMax * msPerDay;
  });
}
