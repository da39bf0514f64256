/** The messages by which the tabs of a device coordinate their sync. */
import { isObject } from '../../core/json-object.ts';
import { supportsTabs, type TabPlatform, type TabPort } from '../../core/supports-tabs.ts';
import { initialSyncState, type SyncState } from '../cycle/sync-state.ts';

/** The state of the leading tab's sync, which all tabs show. */
export interface SyncSnapshot {
  state: SyncState;
  progress: Progress | null;
  /** When a round was last completed while a tab was open; undefined before the first round. */
  lastSyncedAt: string | undefined;
  /** How much longer the server asks this device to wait, from the moment of the snapshot. */
  retryAfterMs?: number;
}

export const initialSnapshot: SyncSnapshot = { state: initialSyncState, progress: null, lastSyncedAt: undefined };

export type TabMessage =
  /** Asks for the leader's snapshot. */
  | { type: 'hello' }
  /** The sender leads now. A tab that still waits for a round asks the new leader for a round. */
  | { type: 'leads' }
  | { type: 'snapshot'; snapshot: SyncSnapshot }
  /** Asks the leader to start a round at once. */
  | { type: 'ask'; id: string }
  /** The round for the `ask` with this `id` has ended. */
  | { type: 'roundEnded'; id: string };

export interface TabChannel {
  post(message: TabMessage): void;
  listen(listener: (message: TabMessage) => void): void;
  close(): void;
}

/** Returns a channel without messages in Node, where only one engine uses a database. */
export function openTabChannel(deviceName: string, tabs?: TabPlatform): TabChannel {
  const name = `gemba:${deviceName}:sync`;
  if (tabs) return tabChannel(tabs.channel(name));
  if (!supportsTabs) return { post: () => {}, listen: () => {}, close: () => {} };
  return tabChannel(new BroadcastChannel(name));
}

export function tabChannel(channel: TabPort): TabChannel {
  return {
    post: (message) => channel.postMessage(toWire(message)),
    listen: (listener) => {
      channel.addEventListener('message', ({ data }) => {
        const message = fromWire(data);
        if (message) listener(message);
      });
    },
    close: () => channel.close(),
  };
}

/** Messages keep the names of the first build (`told`, `rested`, `restMs`), since another tab may run another build. */
function toWire(message: TabMessage): object {
  switch (message.type) {
    case 'snapshot': {
      const { retryAfterMs, ...told } = message.snapshot;
      return { type: 'told', told: { ...told, ...(retryAfterMs === undefined ? {} : { restMs: retryAfterMs }) } };
    }
    case 'roundEnded':
      return { type: 'rested', id: message.id };
    default:
      return message;
  }
}

/** Returns undefined for an unknown message, which a tab with another build of the app may send. */
function fromWire(data: unknown): TabMessage | undefined {
  if (!isObject(data)) return undefined;
  const { type, told, id } = data;
  switch (type) {
    case 'hello':
    case 'leads':
      return { type };
    case 'ask':
      return typeof id === 'string' ? { type, id } : undefined;
    case 'rested':
      return typeof id === 'string' ? { type: 'roundEnded', id } : undefined;
    case 'told':
      return isWireSnapshot(told) ? { type: 'snapshot', snapshot: snapshotOf(told) } : undefined;
    default:
      return undefined;
  }
}

type WireSnapshot = Omit<SyncSnapshot, 'retryAfterMs'> & { restMs?: number };

const isWireSnapshot = (told: unknown): told is WireSnapshot =>
  isObject(told) && isObject(told['state']) && typeof told['state']['phase'] === 'string';

const snapshotOf = ({ restMs, ...snapshot }: WireSnapshot): SyncSnapshot => ({
  ...snapshot,
  ...(restMs === undefined ? {} : { retryAfterMs: restMs }),
});

/** For a push, counts mutations made since nothing was unsettled; for a pull, counts changes. */
export interface Progress {
  done: number;
  /** null during a pull, since the number of changes is not known in advance. */
  total: number | null;
}
