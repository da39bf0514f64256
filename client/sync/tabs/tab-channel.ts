/** The messages in which the tabs of a device coordinate their sync. */
import { initialSyncState, type SyncState } from '../cycle/sync-state.ts';

/** The sync of the leading tab, which all tabs show. */
export interface SyncSnapshot {
  state: SyncState;
  progress: Progress | null;
  /** When a round last ended in the life of these tabs. */
  lastSyncedAt: string | undefined;
  /** The rest of the time that the server asked for, at the moment of the snapshot. */
  retryAfterMs?: number;
}

export const initialSnapshot: SyncSnapshot = { state: initialSyncState, progress: null, lastSyncedAt: undefined };

export type TabMessage =
  /** Asks for the leader's snapshot. */
  | { type: 'hello' }
  /** The sender leads now; tabs that wait for a round ask again. */
  | { type: 'leads' }
  | { type: 'snapshot'; snapshot: SyncSnapshot }
  /** Sync at once. */
  | { type: 'ask'; id: string }
  /** The round that was asked for ended. */
  | { type: 'idle'; id: string };

export interface TabChannel {
  /** Reaches all other tabs of the device that are open. */
  post(message: TabMessage): void;
  listen(hear: (message: TabMessage) => void): void;
  close(): void;
}

/** In Node an engine has its database to itself, so there is no other tab. */
export function tabChannelOf(deviceName: string): TabChannel {
  const hasTabs = typeof window !== 'undefined' && typeof BroadcastChannel !== 'undefined';
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

/** Tabs may run different builds of the app, so the channel keeps the names of the first one: `told`, `rested`, `restMs`. */
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

/** Answers undefined for messages of another build that this one does not understand. */
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

/** Counts mutations of a push since the outbox was last empty, or changes of a pull. */
export interface Progress {
  done: number;
  /** null while a long pull does not know how much will come. */
  total: number | null;
}
