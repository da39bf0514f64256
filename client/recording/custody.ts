import { merge, type Observable } from 'rxjs';
import { distinctUntilChanged, map } from 'rxjs/operators';
import type { OutboxEntry } from '../outbox/model/entry.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Recordings } from './recordings.ts';
import type { View } from '../view/view.ts';

/** Says who has a recording: the device alone, or the server, too. */
export type Custody = 'device' | 'server';

/** Emits 'server' once a pull has brought the run of the recording, or proven that its upload was done. */
export function custody$(
  { view, outbox, recordings }: { view: View; outbox: Outbox; recordings: Recordings },
  recordingSessionId: string,
): Observable<Custody> {
  return merge(view.changed$, recordings.recording$).pipe(
    map((): Custody => {
      if (recordings.hasOpenDraft(recordingSessionId)) return 'device';
      const isOfSession = ({ args, former_session }: OutboxEntry) =>
        args['recording_session_id'] === recordingSessionId || former_session === recordingSessionId;
      // Another device may have uploaded the same session with other steps, so the run alone proves nothing while this
      // device's own upload is unsettled. An upload that is sent again was proven before.
      const isUnproven = (entry: OutboxEntry) => isOfSession(entry) && entry.proven_at === null;
      if (view.refused.some(isOfSession) || view.unsettled.some(isUnproven)) return 'device';
      // The answer to a forwarded upload comes before the pull that settles it; a refusal must not count as a success.
      const uploads = outbox.uploads(recordingSessionId);
      if (uploads.some(isRefusedOrForgotten)) return 'device';
      if (view.base.runIdOfSession.has(recordingSessionId)) return 'server';
      if (outbox.entries('receipt').some(isOfSession)) return 'server';
      return uploads.some((upload) => isOnServer(upload, view)) ? 'server' : 'device';
    }),
    distinctUntilChanged(),
  );
}

const isRefusedOrForgotten = (upload: OutboxEntry): boolean =>
  upload.state === 'forwarded' && upload.answer !== undefined && upload.answer.outcome !== 'done';

/** Looks at the client record of the last pull, too, since a done upload may still be in the outbox as pending. */
function isOnServer(upload: OutboxEntry, { client, settledSeq }: View): boolean {
  if (upload.state !== 'pending') return upload.state === 'receipt';
  const { seq } = upload;
  return seq <= settledSeq && !client?.rejections.some((rejection) => rejection.seq === seq);
}
