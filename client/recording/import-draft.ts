/** Imports the draft of another device. */
import type { Locks } from '../core/locks.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { TapBody } from '../storage/rows.ts';
import type { DraftMover } from './draft-mover.ts';
import type { DraftStates } from './draft-states.ts';
import type { Drafts } from './drafts.ts';
import type { Taps } from './taps.ts';

export interface ImportParts {
  drafts: Drafts;
  states: DraftStates;
  mover: DraftMover;
  taps: Taps;
  locks: Locks;
  outbox: Outbox;
}

/**
 * If a recording is under way here, the imported draft is stored as discarded and can be restored. Returns false if this
 * device already has the recording.
 */
export async function importDraft(
  { drafts, states, mover, taps, locks, outbox }: ImportParts,
  session: string,
  imported: TapBody[],
): Promise<boolean> {
  const isFinished = imported.findLast(({ kind }) => kind === 'finished' || kind === 'restored')?.kind === 'finished';
  const isImported = await locks.exclusive('recording', async () => {
    await drafts.refresh();
    if (drafts.get(session)) return drafts.appendMissingTaps(session, imported);
    if (outbox.latestUpload(session)) return false;
    const otherIsUnderWay = states.openDraft && !isFinished;
    const at = taps.stampAfterDiscards();
    await drafts.startFromTaps(session, otherIsUnderWay ? [...imported, { kind: 'discarded', at }] : imported);
    return true;
  });
  if (isImported && isFinished) await mover.moveToOutbox(session);
  return isImported;
}
