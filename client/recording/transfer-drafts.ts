/** Takes a recording under way from one device to another. */
import type { Locks } from '../core/locks.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { TapBody } from '../storage/rows.ts';
import { isSameDraft, type Draft } from './draft.ts';
import type { DraftMover } from './draft-mover.ts';
import type { DraftStates } from './draft-states.ts';
import type { Drafts } from './drafts.ts';
import type { Taps } from './taps.ts';

export interface TransferParts {
  drafts: Drafts;
  states: DraftStates;
  mover: DraftMover;
  taps: Taps;
  locks: Locks;
  outbox: Outbox;
}

/** Returns the taps of the open draft; empty if there is none. */
export function tapsOfOpenDraft({ states, drafts }: TransferParts): TapBody[] {
  const draft = states.latestOpenDraft;
  return draft ? drafts.tapsOf(draft.started.recording_session_id) : [];
}

/** Tells whether a finished recording other than the open draft still has to be moved into the outbox. */
export function hasEarlierCycle({ states: { latestOpenDraft, draftsToMove } }: TransferParts): boolean {
  return latestOpenDraft !== undefined && draftsToMove.some((draft) => !isSameDraft(draft, latestOpenDraft));
}

/** Moves finished recordings into the outbox, since an exported file has one draft at most. */
export function moveEarlierCycles({ states, mover, taps }: TransferParts): Promise<void> {
  const isEarlier = (draft: Draft) => !isSameDraft(draft, states.latestOpenDraft);
  return taps.runInTurn(() => mover.moveDrafts(isEarlier));
}

/**
 * Stores a draft of another device. If a recording is under way here, the draft is stored as discarded and can be
 * restored. Returns false if this device already has the recording.
 */
export async function importDraft(
  { drafts, states, mover, taps, locks, outbox }: TransferParts,
  session: string,
  imported: TapBody[],
): Promise<boolean> {
  const isFinished = imported.findLast(({ kind }) => kind === 'finished' || kind === 'restored')?.kind === 'finished';
  const isImported = await locks.exclusive('recording', async () => {
    await drafts.refresh();
    if (drafts.get(session)) return drafts.appendMissingTaps(session, imported);
    if (outbox.latestUpload(session)) return false;
    const otherIsUnderWay = states.latestOpenDraft && !isFinished;
    const at = taps.stampAfterDiscards();
    await drafts.startFromTaps(session, otherIsUnderWay ? [...imported, { kind: 'discarded', at }] : imported);
    return true;
  });
  if (isImported && isFinished) await mover.moveToOutbox(session);
  return isImported;
}
