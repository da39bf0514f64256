/** Decides whether a photo may be sent on this network. Thumbnails are small and may always be sent. */
import { fromEvent, merge, NEVER, type Observable } from 'rxjs';
import { distinctUntilChanged, map, skip } from 'rxjs/operators';
import type { Detour } from '../sync/net/detour.ts';
import type { PhotoEntry, PhotoSettings } from './row-shapes.ts';

/** The part of the Network Information API that tells of costs, which only Chromium has. */
export interface NetworkConnection {
  type?: string;
  saveData?: boolean;
  addEventListener?: (type: 'change', listener: () => void) => void;
  removeEventListener?: (type: 'change', listener: () => void) => void;
}

export const platformConnection = (): NetworkConnection | undefined =>
  (globalThis.navigator as { connection?: NetworkConnection } | undefined)?.connection;

/** Tells what the way to the server costs. */
export interface PhotoNetwork {
  isMetered(): boolean;
  /** Emits when the way may cost something else than before. */
  changed$: Observable<unknown>;
}

/** Requires the status of the sync, which emits whenever the way to the server changes. */
export function photoNetwork(
  connection: NetworkConnection | undefined,
  { detour, status$ }: { detour: Pick<Detour, 'carrierFetch'>; status$: Observable<unknown> },
): PhotoNetwork {
  const isByCarrier = () => detour.carrierFetch !== undefined;
  return {
    // A browser that does not tell what its network costs may send. By way of a carrier, its owner pays.
    isMetered: () => isByCarrier() || connection?.saveData === true || connection?.type === 'cellular',
    changed$: merge(connectionChanged$(connection), status$.pipe(map(isByCarrier), distinctUntilChanged(), skip(1))),
  };
}

export function maySend(
  { policy }: PhotoSettings,
  network: Pick<PhotoNetwork, 'isMetered'>,
  { sends_anyway }: Pick<PhotoEntry, 'sends_anyway'>,
): boolean {
  if (policy === 'always' || sends_anyway) return true;
  return policy === 'wifi' && !network.isMetered();
}

const connectionChanged$ = (connection: NetworkConnection | undefined): Observable<unknown> =>
  connection?.addEventListener && connection.removeEventListener
    ? fromEvent(connection as Required<NetworkConnection>, 'change')
    : NEVER;
