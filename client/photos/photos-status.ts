/** Tells how many photos are still to be sent, and why they wait. */
import { combineLatest, type Observable } from 'rxjs';
import { distinctUntilChanged, map, startWith } from 'rxjs/operators';
import type { TrustedClock } from '../core/clock.ts';
import type { Status } from '../sync/tabs/status.ts';
import { maySend, type PhotoNetwork } from './photo-policy.ts';
import type { PhotoRows } from './photo-rows.ts';
import type { PhotoSender } from './photo-sender.ts';
import type { PhotosHold, PhotosStatus } from './photo-verbs.ts';
import { isHoldActive } from './send-failure.ts';

interface PhotosStatusOptions {
  rows: PhotoRows;
  sender: Pick<PhotoSender, 'sentBytes$' | 'isUnreachable$' | 'isWaiting$' | 'isPaused$'>;
  clock: TrustedClock;
  network: PhotoNetwork;
  status$: Observable<Pick<Status, 'phase'>>;
}

export function watchPhotosStatus(options: PhotosStatusOptions): Observable<PhotosStatus> {
  const { rows, sender, network, status$ } = options;
  return combineLatest([
    rows.changed$,
    sender.sentBytes$,
    sender.isUnreachable$,
    sender.isWaiting$,
    sender.isPaused$,
    status$.pipe(map(({ phase }) => phase)),
    network.changed$.pipe(startWith(undefined)),
  ]).pipe(
    map(([, sent, isUnreachable, isWaiting, isPaused, phase]) => {
      const unsent = rows.inState('unsent');
      return {
        pending: unsent.length,
        bytes: unsent.reduce((sum, { hex, bytes }) => sum + bytes - (sent.get(hex) ?? 0), 0),
        held_by: unsent.length === 0 ? null : findReasonToWait(options, { isWaiting, isPaused, isUnreachable, phase }),
        policy: rows.settings.policy,
        refused: rows.inState('refused').length,
        lost: rows.inState('lost').length,
      };
    }),
    distinctUntilChanged((a, b) => JSON.stringify(a) === JSON.stringify(b)),
  );
}

interface SenderState extends Pick<Status, 'phase'>, Record<'isWaiting' | 'isPaused' | 'isUnreachable', boolean> {}

function findReasonToWait(
  { rows, network, clock }: PhotosStatusOptions,
  { isWaiting, isPaused, isUnreachable, phase }: SenderState,
): PhotosHold | null {
  const { hold, settings } = rows;
  if (phase === 'blocked') return 'blocked';
  if (isUnreachable || phase === 'offline') return 'offline';
  if (isHoldActive(hold, clock.wallMs())) return hold.by;
  if (!rows.inState('unsent').some((photo) => maySend(settings, network, photo))) return 'metered';
  if (isPaused) return 'sync';
  return isWaiting ? 'retry' : null;
}
