import { merge, type Observable } from 'rxjs';
import { distinctUntilChanged, map } from 'rxjs/operators';
import type { OutboxEntry } from '../outbox/model/entry.ts';
import { hasOtherEpoch } from '../outbox/model/settling/apply-pull.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Recordings } from './recordings.ts';
import type { View } from '../view/view.ts';

/** Says whether a recording is on the device alone or also on the server. */
export type Custody = 'device' | 'server';

/** Emits 'server' once a pull has brought the run of the recording or proven its upload, and 'device' otherwise. */
export function custody$(
  { view, outbox, recordings }: { view: View; outbox: Outbox; recordings: Recordings },
  recordingSessionId: string,
): Observable<Custody> {
  return merge(view.changed$, recordings.recording$).pipe(
    map((): Custody => {
      if (recordings.hasOpenDraft(recordingSessionId)) return 'device';
      const isOfSession = ({ args, former_session }: OutboxEntry) =>
        args['recording_session_id'] === recordingSessionId || former_session === recordingSessionId;
      // Another device may have uploaded other steps of this session. A run with those steps does not prove that the
      // server has an unsettled upload of this device.
      const isUnproven = (entry: OutboxEntry) => isOfSession(entry) && entry.proven_at === null;
      if (view.refused.some(isOfSession) || view.unsettled.some(isUnproven)) return 'device';
      // If the answer to a forwarded upload is not `done`, the server may lack the recording.
      const uploads = outbox.uploads(recordingSessionId);
      if (uploads.some(isRefusedOrForgotten)) return 'device';
      if (view.base.runIdOfSession.has(recordingSessionId)) return 'server';
      // After a restore, the server may lack a recording that is a receipt here. The outbox then sends the recording
      // again.
      if (hasOtherEpoch(outbox, view.base.cursor?.epoch)) return 'device';
      if (outbox.entries('receipt').some(isOfSession)) return 'server';
      return uploads.some((upload) => isProven(upload, view)) ? 'server' : 'device';
    }),
    distinctUntilChanged(),
  );
}

const isRefusedOrForgotten = (upload: OutboxEntry): boolean =>
  upload.state === 'forwarded' && upload.answer !== undefined && upload.answer.outcome !== 'done';

/** Checks a pending upload against the last pull, since the outbox may not have settled the upload yet. */
const isProven = (upload: OutboxEntry, { client, settledSeq }: View): boolean =>
  upload.state === 'pending' && upload.seq <= settledSeq && !client?.rejections.some(({ seq }) => seq === upload.seq);
