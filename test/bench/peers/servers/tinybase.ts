/** TinyBase's WebSocket server. Its stores are in memory: its file and SQLite persisters write each store as a whole. */
import type { AddressInfo } from 'node:net';
import { createMergeableStore, type MergeableStore } from 'tinybase';
import { createCustomPersister } from 'tinybase/persisters';
import { createWsServer } from 'tinybase/synchronizers/synchronizer-ws-server';
import { WebSocket, WebSocketServer } from 'ws';
import type { Document } from '../work.ts';
import { servePeer } from './http.ts';

const stores = new Map<string, MergeableStore>();
/** Called when the server has opened the space for its first client, which takes it a second. */
const onOpen = new Map<string, () => void>();
/** The kind of store that the persister takes: https://tinybase.org/api/persisters/enumerations/mergeable/persists/ */
const mergeableStoreOnly = 2;

const http = servePeer({
  '/fill': ({ query, body }) => {
    const store = storeOf(query.get('space') ?? '');
    store.transaction(() => {
      for (const { id, kind, body: content } of JSON.parse(body) as Document[]) {
        store.setRow(kind, id, { body: JSON.stringify(content) });
      }
    });
    return '{}';
  },
  // A socket that never speaks keeps the space open, so that no device waits for the server to open it.
  '/open': ({ query }) =>
    new Promise((resolve) => {
      const space = query.get('space') ?? '';
      onOpen.set(space, () => resolve('{}'));
      const socket = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}/${space}`);
      socket.on('message', () => {});
    }),
  '/count': ({ query }) => String(storeOf(query.get('space') ?? '').getRowCount('run')),
  // The protocol tells no device when its rows have arrived.
  '/wait': ({ query }) =>
    new Promise((resolve) => {
      const store = storeOf(query.get('space') ?? '');
      const isThere = () => store.getRowCount('run') >= Number(query.get('count'));
      if (isThere()) return void resolve('{}');
      const listener = store.addTableListener('run', () => {
        if (!isThere()) return;
        store.delListener(listener);
        resolve('{}');
      });
    }),
});

createWsServer(new WebSocketServer({ server: http, maxPayload: 512 * 1024 * 1024 }), (space) => {
  const persister = createCustomPersister(
    storeOf(space),
    () => Promise.resolve(undefined),
    () => Promise.resolve(),
    () => 0,
    () => {},
    undefined,
    mergeableStoreOnly,
  );
  return [persister, () => onOpen.get(space)?.()];
});

function storeOf(space: string): MergeableStore {
  const known = stores.get(space);
  if (known) return known;
  const made = createMergeableStore();
  stores.set(space, made);
  return made;
}
