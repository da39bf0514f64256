/** The messages in which the tabs of a device coordinate their sync. */
import { hasTabs } from '../../core/has-tabs.ts';
import { initialSyncState, type SyncState } from '../cycle/sync-state.ts';

/** The sync of the leading tab, which all tabs show. */
export interface SyncSnapshot {
  state: SyncState;
  progress: Progress | null;
  /** When one of the open tabs last completed a round; undefined before that. */
  lastSyncedAt: string | undefined;
  /** How much longer the server asked this device to wait, at the moment of the snapshot. */
  retryAfterMs?: number;
}

export const initialSnapshot: SyncSnapshot = { state: initialSyncState, progress: null, lastSyncedAt: undefined };

export type TabMessage =
  /** Asks for the leader's snapshot. */
  | { type: 'hello' }
  /** The sender leads now, so a tab that waits for a round asks the sender for one. */
  | { type: 'leads' }
  | { type: 'snapshot'; snapshot: SyncSnapshot }
  /** Asks the leader for a round at once. */
  | { type: 'ask'; id: string }
  /** The round that the tab asked for under this `id` has ended. */
  | { type: 'idle'; id: string };

export interface TabChannel {
  /** Reaches all other tabs of the device that are open. */
  post(message: TabMessage): void;
  listen(hear: (message: TabMessage) => void): void;
  close(): void;
}

/** In Node, only one engine uses a database, so there are no other tabs and no messages. */
export function tabChannelOf(deviceName: string): TabChannel {
  if (!hasTabs) return { post: () => {}, listen: () => {}, close: () => {} };
  return tabChannel(new BroadcastChannel(`gemba:${deviceName}:sync`));
}

export function tabChannel(channel: BroadcastChannel): TabChannel {
  return {
    post: (message) => channel.postMessage(toWire(message)),
    listen: (hear) => {
      channel.addEventListener('message', ({ data }: MessageEvent) => {
        const message = fromWire(data);
        if (message) hear(message);
      });
    },
    close: () => channel.close(),
  };
}

/** Open tabs may run different builds of the app, so messages keep the first build's names: `told`, `rested`, `restMs`. */
function toWire(message: TabMessage): object {
  switch (message.type) {
    case 'snapshot': {
      const { retryAfterMs, ...told } = message.snapshot;
      return { type: 'told', told: { ...told, ...(retryAfterMs === undefined ? {} : { restMs: retryAfterMs }) } };
    }
    case 'idle':
      return { type: 'rested', id: message.id };
    default:
      return message;
  }
}

/** Returns undefined for a message of another build of the app that this build does not know. */
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
      return typeof id === 'string' ? { type: 'idle', id } : undefined;
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

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** How much of a push or a pull is done: counts the mutations made since the outbox was last empty, or a pull's changes. */
export interface Progress {
  done: number;
  /** null during a pull, whose number of changes is not known in advance. */
  total: number | null;
}
