import { merge, type Observable } from 'rxjs';
import { distinctUntilChanged, map } from 'rxjs/operators';
import type { OutboxEntry } from '../outbox/model/entry.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Recordings } from './recordings.ts';
import type { View } from '../view/view.ts';

/** The holder of a recording: the device alone, or the server too. */
export type Custody = 'device' | 'server';

/** Tells 'server' once a pull has brought the recording's run, or shown that its mutation was done. */
export function custody$(
  { view, outbox, recordings }: { view: View; outbox: Outbox; recordings: Recordings },
  recordingSessionId: string,
): Observable<Custody> {
  return merge(view.changed$, recordings.recording$).pipe(
    map((): Custody => {
      if (recordings.hasUnsent(recordingSessionId)) return 'device';
      const isOfSession = ({ args, former_session }: OutboxEntry) =>
        args['recording_session_id'] === recordingSessionId || former_session === recordingSessionId;
      // A run of the same session may come from another device's recording: it does not prove this one.
      const isUnproven = (entry: OutboxEntry) => isOfSession(entry) && entry.acknowledged_at === null;
      if (view.refused.some(isOfSession) || view.pending.some(isUnproven)) return 'device';
      // Carried work may be refused before a pull settles that.
      const uploads = outbox.uploadsOf(recordingSessionId);
      if (uploads.some(isAnsweredOtherwise)) return 'device';
      if (view.base.runIdOfSession.has(recordingSessionId)) return 'server';
      if (outbox.entries('receipt').some(isOfSession)) return 'server';
      return uploads.some((upload) => isWithServer(upload, view)) ? 'server' : 'device';
    }),
    distinctUntilChanged(),
  );
}

const isAnsweredOtherwise = (upload: OutboxEntry): boolean =>
  upload.state === 'forwarded' && upload.answer !== undefined && upload.answer.outcome !== 'done';

/** A pull may have shown a mutation to be done that has not left the outbox yet. */
function isWithServer(upload: OutboxEntry, { client, settledSeq }: View): boolean {
  if (upload.state !== 'pending') return upload.state === 'receipt';
  const { seq } = upload;
  return seq <= settledSeq && !client?.rejections.some((rejection) => rejection.seq === seq);
}
