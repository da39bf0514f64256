/** Reads who has each recording of this device, and which messages this device carries for other devices. */
import { firstValueFrom, merge, type Observable } from 'rxjs';
import { distinctUntilChanged, map, switchMap } from 'rxjs/operators';
import { isoTime } from '../core/clock.ts';
import type { OutboxEntry } from '../outbox/model/entry.ts';
import { isRecordingUpload } from '../../shared/domain/runs-read.ts';
import { custody$ } from '../recording/custody.ts';
import { carrierReadsOf, handOverReadsOf, type InspectedEngine } from './inspected-engine.ts';
import { mutationStates } from './read-outbox.ts';
import type { CustodyFacts, RecordingCustody } from './shapes.ts';

const recordingsMax = 200;

export async function readCustody(engine: InspectedEngine): Promise<CustodyFacts> {
  const { carrying$, readCodes$ } = carrierReadsOf(engine);
  const { handOverProblem$ } = handOverReadsOf(engine);
  const [recordings, carrying, codes, problem] = await Promise.all([
    Promise.all(recordingsOf(engine).map((recording) => withCustody(engine, recording))),
    firstOf(carrying$),
    firstOf(readCodes$),
    firstOf(handOverProblem$),
  ]);
  return {
    recordings,
    carrying: carrying ?? null,
    // Leave out each receipt, a code that a person types into another device. Only this person may see the receipt.
    read_codes: (codes ?? []).map(({ taken_at, delivered, refused }) => ({ taken_at, delivered, refused })),
    hand_over_problem: problem?.code ?? null,
  };
}

/** Returns sources that emit when custody changes without a change of a record or a recording. */
export function custodyChanges(engine: InspectedEngine): Observable<unknown>[] {
  const { view, recordings } = engine;
  const { carrying$, readCodes$ } = carrierReadsOf(engine);
  const { carriers$, handOverProblem$ } = handOverReadsOf(engine);
  const sessions$ = merge(view.changed$, recordings.recording$).pipe(
    map(() => sessionsToHandOver(engine)),
    distinctUntilChanged((a, b) => a.join() === b.join()),
  );
  const handedOver$ =
    carriers$ && sessions$.pipe(switchMap((sessions) => merge(...sessions.map((session) => carriers$(session)))));
  return [carrying$, readCodes$, handOverProblem$, handedOver$].filter((source) => source !== undefined);
}

/** Returns the sessions of unsent recordings, since a device hands over no other recordings to carriers. */
const sessionsToHandOver = (engine: InspectedEngine): string[] =>
  recordingsOf(engine)
    .filter(({ state }) => state === 'draft' || state === 'pending' || state === 'forwarded')
    .map(({ recording_session_id }) => recording_session_id);

type FoundRecording = Omit<RecordingCustody, 'custody' | 'carriers'>;

/** Returns the recordings in drafts and in the outbox, the latest first. */
function recordingsOf({ outbox, recordings }: InspectedEngine): FoundRecording[] {
  const { drafts, states } = recordings.transferParts;
  const open = drafts
    .all()
    .filter((draft) => states.isOpenDraft(draft))
    .map(({ started: { recording_session_id, map_id, at } }): FoundRecording => {
      return { recording_session_id, map_id, recorded_at: isoTime(at.wall_ms), state: 'draft' };
    });
  const uploads = mutationStates
    .flatMap((state): OutboxEntry[] => outbox.entries(state))
    .filter(isRecordingUpload)
    .map(({ args, state, recorded_at }): FoundRecording => {
      const { recording_session_id, map_id } = args;
      return {
        recording_session_id: String(recording_session_id),
        map_id: typeof map_id === 'string' ? map_id : null,
        recorded_at,
        state,
      };
    });
  return [...open, ...uploads].toSorted((a, b) => (a.recorded_at < b.recorded_at ? 1 : -1)).slice(0, recordingsMax);
}

async function withCustody(engine: InspectedEngine, recording: FoundRecording): Promise<RecordingCustody> {
  const { recording_session_id: session } = recording;
  const [custody, carriers] = await Promise.all([
    firstOf(custody$(engine, session)),
    firstOf(handOverReadsOf(engine).carriers$?.(session)),
  ]);
  return {
    ...recording,
    custody: custody ?? 'device',
    carriers: (carriers ?? []).map(({ at, proven }) => ({ at, proven })),
  };
}

/** Resolves to the first value; undefined if the relay's code cannot load or the engine has closed. */
const firstOf = <Value>(source: Observable<Value> | undefined): Promise<Value | undefined> =>
  source ? firstValueFrom(source, { defaultValue: undefined }).catch(() => undefined) : Promise.resolve(undefined);
