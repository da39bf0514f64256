/** Decides whether a photo may be sent on this network. Thumbnails are small and may always be sent. */
import { fromEvent, NEVER, type Observable } from 'rxjs';
import type { PhotoSettings } from './row-shapes.ts';

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
  { policy, send_up_to }: PhotoSettings,
  connection: NetworkConnection | undefined,
  photo: { taken_at: string },
): boolean {
  if (policy === 'always' || (send_up_to !== null && photo.taken_at <= send_up_to)) return true;
  return policy === 'wifi' && !isMetered(connection);
}

/** Emits when the network may cost something else than before. */
export const connectionChanged$ = (connection: NetworkConnection | undefined): Observable<unknown> =>
  connection?.addEventListener && connection.removeEventListener
    ? fromEvent(connection as Required<NetworkConnection>, 'change')
    : NEVER;
