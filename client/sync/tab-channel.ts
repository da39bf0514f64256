/** What the tabs of a device say to each other about sync. */
import { initialSyncState, type SyncState } from './machine.ts';
import type { Progress } from './status.ts';

/** What a leading tab tells of its sync. */
export interface Told {
  state: SyncState;
  progress: Progress | null;
  /** When a round last came to its end in the life of these tabs. */
  lastSyncedAt: string | undefined;
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
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
    post: (message) => channel.postMessage(message),
    listen: (hear) => {
      channel.addEventListener('message', ({ data }: MessageEvent) => hear(data as TabMessage));
    },
    close: () => channel.close(),
  };
}
