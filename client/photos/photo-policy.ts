/** Decides whether a photo may be sent on this network. Thumbnails are small and may always be sent. */
import { fromEvent, NEVER, type Observable } from 'rxjs';
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

/** A browser that does not tell what its network costs may send. */
const isMetered = (connection: NetworkConnection | undefined): boolean =>
  connection?.saveData === true || connection?.type === 'cellular';

export function maySend(
  { policy }: PhotoSettings,
  connection: NetworkConnection | undefined,
  { sends_anyway }: Pick<PhotoEntry, 'sends_anyway'>,
): boolean {
  if (policy === 'always' || sends_anyway) return true;
  return policy === 'wifi' && !isMetered(connection);
}

/** Emits when the network may cost something else than before. */
export const connectionChanged$ = (connection: NetworkConnection | undefined): Observable<unknown> =>
  connection?.addEventListener && connection.removeEventListener
    ? fromEvent(connection as Required<NetworkConnection>, 'change')
    : NEVER;
