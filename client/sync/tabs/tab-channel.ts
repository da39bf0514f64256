/** Defines the messages by which the tabs of a device coordinate their sync. */
import { isObject } from '../../core/json-object.ts';
import { supportsTabs, type TabPlatform, type TabPort } from '../../core/supports-tabs.ts';
import { initialSyncState, type SyncState } from '../cycle/sync-state.ts';

/** The state of the leader's sync, which all tabs show. */
export interface SyncSnapshot {
  state: SyncState;
  progress: Progress | null;
  /** When a round last completed in an open tab; undefined if none has. */
  lastSyncedAt: string | undefined;
  /** How long the leader still waits at the moment of this snapshot; 0 if an event of the server may end the wait. */
  retryAfterMs?: number;
}

export const initialSnapshot: SyncSnapshot = { state: initialSyncState, progress: null, lastSyncedAt: undefined };

export type TabMessage =
  /** Asks the leader for its snapshot. */
  | { type: 'hello' }
  /** The sender has become the leader. Tabs that wait for a round ask the new leader for one. */
  | { type: 'leads' }
  | { type: 'snapshot'; snapshot: SyncSnapshot }
  /** Asks the leader to start a round at once. */
  | { type: 'ask'; id: string }
  /** The round that the message `ask` with this `id` asked for has ended. */
  | { type: 'roundEnded'; id: string };

export interface TabChannel {
  post(message: TabMessage): void;
  listen(listener: (message: TabMessage) => void): void;
  close(): void;
}

/** Opens the channel between the tabs. In Node only one engine uses a database, so its channel carries no messages. */
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

/**
 * Translates a message to the names of the first build (`told`, `rested`, `restMs`), since another tab may run another
 * build.
 */
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

/** Returns undefined for a message that this build does not know, since another tab may run another build. */
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

/**
 * The progress of a push or a pull. A push counts the mutations made since all mutations were last settled, and a pull
 * counts changes.
 */
export interface Progress {
  done: number;
  /** null during a pull, whose number of changes is unknown. */
  total: number | null;
}
