/** Decides whether a photo may be sent on this network. Thumbnails are small and may always be sent. */
import { fromEvent, merge, NEVER, type Observable } from 'rxjs';
import { distinctUntilChanged, map, skip } from 'rxjs/operators';
import type { Detour } from '../sync/net/detour.ts';
import type { PhotoEntry, PhotoSettings } from './row-shapes.ts';

/** The part of the Network Information API that tells what a network costs. Only Chromium has it. */
export interface NetworkConnection {
  type?: string;
  saveData?: boolean;
  addEventListener?: (type: 'change', listener: () => void) => void;
  removeEventListener?: (type: 'change', listener: () => void) => void;
}

export const readPlatformConnection = (): NetworkConnection | undefined =>
  (globalThis.navigator as { connection?: NetworkConnection } | undefined)?.connection;

/** Tells whether sending to the server costs money. */
export interface PhotoNetwork {
  isMetered(): boolean;
  /** Emits when the answer of `isMetered` may have changed. */
  changed$: Observable<unknown>;
}

/**
 * Counts sending through a carrier as metered, in addition to the browser's metered connections. `status$` must emit
 * whenever the sync starts or stops to go through a carrier.
 */
export function createPhotoNetwork(
  connection: NetworkConnection | undefined,
  { detour, status$ }: { detour: Pick<Detour, 'carrierFetch'>; status$: Observable<unknown> },
): PhotoNetwork {
  const isByCarrier = () => detour.carrierFetch !== undefined;
  return {
    // Count a network of unknown cost as unmetered. Through a carrier, the carrier's owner pays.
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
