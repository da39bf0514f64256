import type { Observable } from 'rxjs';
import { distinctUntilChanged, map } from 'rxjs/operators';
import type { Outbox } from '../outbox/outbox.ts';
import type { View } from './view.ts';

/** Who has a recording: the device alone, or the server too. */
export type Custody = 'device' | 'server';

/** 'server' once the pull has brought its run, or the word that its mutation was done. */
export function custody$(view: View, outbox: Outbox, recordingSessionId: string): Observable<Custody> {
  return view.changed$.pipe(
    map((): Custody => {
      // Another device's recording of the same session is no proof of this one.
      if (view.refused.some(({ args }) => args['recording_session_id'] === recordingSessionId)) return 'device';
      if (view.base.runIdOfSession.has(recordingSessionId)) return 'server';
      const upload = outbox.uploadOf(recordingSessionId);
      if (upload?.state === 'receipt') return 'server';
      const settled = upload?.state === 'pending' && upload.seq <= view.settledSeq;
      const refused = settled && view.client?.rejections.some(({ seq }) => seq === upload.seq);
      return settled && !refused ? 'server' : 'device';
    }),
    distinctUntilChanged(),
  );
}
