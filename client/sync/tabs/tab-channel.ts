/** What the tabs of a device say to each other about sync. */
import { initialSyncState, type SyncState } from '../cycle/sync-state.ts';

/** What a leading tab tells of its sync. */
export interface Told {
  state: SyncState;
  progress: Progress | null;
  /** When a round last came to its end in the life of these tabs. */
  lastSyncedAt: string | undefined;
  /** What is left, as this is told, of the time for which the server wants to be left alone. */
  restMs?: number;
}

export const untold: Told = { state: initialSyncState, progress: null, lastSyncedAt: undefined };

export type TabMessage =
  /** Is there a leader? It tells then. */
  | { type: 'hello' }
  /** I lead from now on; who asked the one before me asks again. */
  | { type: 'leads' }
  | { type: 'told'; told: Told }
  /** Sync at once. */
  | { type: 'ask'; id: string }
  /** The round that was asked for came to rest. */
  | { type: 'rested'; id: string };

export interface TabChannel {
  /** Reaches all other tabs of the device that are open. */
  post(message: TabMessage): void;
  listen(hear: (message: TabMessage) => void): void;
  close(): void;
}

/** In Node an engine has its database to itself: there is nobody to talk to. */
export function tabChannelOf(deviceName: string): TabChannel {
  const hasTabs = typeof window !== 'undefined' && typeof BroadcastChannel !== 'undefined';
  if (!hasTabs) return { post: () => {}, listen: () => {}, close: () => {} };
  return tabChannel(new BroadcastChannel(`gemba:${deviceName}:sync`));
}

export function tabChannel(channel: BroadcastChannel): TabChannel {
  return {
    post: (message) => channel.postMessage(message),
    listen: (hear) => {
      channel.addEventListener('message', ({ data }: MessageEvent) => {
        if (isMessage(data)) hear(data);
      });
    },
    close: () => channel.close(),
  };
}

/** A tab with another version of the app may speak otherwise; what it says is then not heard. */
function isMessage(data: unknown): data is TabMessage {
  const { type, told, id } = (data ?? {}) as Partial<Record<string, unknown>>;
  switch (type) {
    case 'hello':
    case 'leads':
      return true;
    case 'ask':
    case 'rested':
      return typeof id === 'string';
    case 'told':
      return typeof (told as Partial<Told> | null | undefined)?.state?.phase === 'string';
    default:
      return false;
  }
}

/** Of a push: mutations since the outbox was last empty. Of a pull: changes. */
export interface Progress {
  done: number;
  /** null while a long pull does not know how much will come. */
  total: number | null;
}
