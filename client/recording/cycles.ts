/**
 * Starts the next cycle of a process. Each cycle is a separate recording. Also undoes the start of a cycle, so that the
 * previous cycle continues.
 */
import { GembaError, ignoreErrorCode } from '../core/errors.ts';
import type { Lifetime } from '../core/lifetime.ts';
import type { Locks } from '../core/locks.ts';
import type { Stamp } from '../core/clock.ts';
import type { IdGenerator } from '../core/ids.ts';
import type { FinishedTap, SteppedTap } from '../storage/rows.ts';
import type { DraftStates } from './draft-states.ts';
import { isCycleStart } from './draft.ts';
import { recordingEndedError, requireFinishable, type Drafts } from './drafts.ts';
import type { DraftMover } from './draft-mover.ts';
import type { PhotoTaps } from './photo-taps.ts';
import type { Finished } from './recording.ts';

export interface CyclesOptions {
  drafts: Drafts;
  states: DraftStates;
  mover: DraftMover;
  locks: Locks;
  ids: IdGenerator;
  photoTaps: PhotoTaps;
  lifetime: Lifetime;
  /** Throws `storage_full` if the space may not be enough to finish another recording. */
  requireSpace(): Promise<void>;
}

/**
 * The least undo time, for a finish without `undoMs`: the finish must store a run id, and only a finish with an undo
 * time can. A person can undo the finish until the recording is moved into the outbox.
 */
const undoMsMin = 1;

interface NextCycleTaps {
  finish: FinishedTap;
  step: SteppedTap;
}

/**
 * Finishes the recording and starts the next one in one write, so that no crash leaves a gap between them. Returns the
 * session of the next recording.
 */
export async function startNextCycle(
  options: CyclesOptions,
  session: string,
  { finish, step }: NextCycleTaps,
): Promise<{ finished: Finished; session: string }> {
  const { drafts, states, ids, requireSpace } = options;
  await requireSpace();
  const { map_id } = drafts.requireDraft(session).started;
  const next = ids.uuid();
  const { at } = finish;
  // Give the run its id now, since this verb returns the id and a full storage may delay the move into the outbox.
  const undo = finish.undo ?? { ms: undoMsMin, run_id: ids.integer() };
  const started = { kind: 'started' as const, at, recording_session_id: next, map_id, new_map_name: null };
  await drafts.appendTogether(
    [
      { session, tap: { ...finish, undo } },
      { session: next, tap: { ...started, previous_session: session } },
      { session: next, tap: step },
    ],
    () => {
      if (states.findUpload(session)) throw recordingEndedError();
      requireFinishable(drafts.requireDraft(session), finish);
    },
  );
  return { finished: { recording_session_id: session, run_id: undo.run_id, map_id }, session: next };
}

/**
 * Moves a finished cycle into the outbox while the next recording is under way. Does not fail on a full storage, since
 * the next finish or start tries again. Does not wait for photos of the cycle that are still being encoded.
 */
export async function moveFinishedCycle(
  taps: { moveAfterPhotos(session: string, move: () => Promise<unknown>): Promise<unknown> },
  { mover, photoTaps, lifetime }: CyclesOptions,
  session: string,
): Promise<void> {
  const isTaking = photoTaps.isTaking(session);
  const moving = taps.moveAfterPhotos(session, () => mover.moveToOutbox(session));
  const isMoved = moving.then(() => undefined, ignoreErrorCode('storage_full'));
  if (isTaking) lifetime.run(() => isMoved).catch(() => {});
  else await isMoved;
}

/**
 * Undoes `startNextCycle`: the last step of the previous cycle continues as if it had never ended. Takes the lock of
 * `moveToOutbox`, so that no other tab moves that cycle at the same time.
 */
export function returnToPreviousCycle(options: CyclesOptions, session: string, at: Stamp): Promise<void> {
  const { drafts, locks, states } = options;
  return locks.exclusive('recording', async () => {
    await drafts.refresh();
    const previous = drafts.requireDraft(session).started.previous_session ?? '';
    await drafts.appendTogether(
      [
        { session, tap: { kind: 'discarded', at, returned: true } },
        { session: previous, tap: { kind: 'restored', at } },
      ],
      () => {
        const draft = drafts.requireDraft(session);
        if (draft.finished || draft.discarded) throw recordingEndedError();
        if (!isCycleStart(draft) || !states.previousCycle(draft)) throw previousCycleMovedError();
      },
    );
  });
}

function previousCycleMovedError(): GembaError {
  const detail = 'The cycle before is saved already. Discard this recording if it should not count.';
  return new GembaError({ code: 'tap_refused', detail });
}
