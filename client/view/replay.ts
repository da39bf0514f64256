/**
 * Decides which unsettled mutations are replayed on the base, and which of them can be replayed only after all records
 * are loaded. Pure.
 */
import { runsReadBy } from '../../shared/domain/runs-read.ts';
import { isReplaced, type ForwardedEntry, type SendableEntry } from '../outbox/model/entry.ts';
import { isKnownMutation } from '../outbox/model/mutation.ts';

/**
 * Tells whether a mutation is replayed. A watch pulls no runs, and a device with a scope not all of them, so it cannot
 * see whether the server already has a forwarded or resent recording. It does not replay such a recording, since it
 * might count the recording twice. `pullsRuns` is false on both.
 */
export function isReplayed(entry: SendableEntry, { pullsRuns }: { pullsRuns: boolean }): boolean {
  if (isReplaced(entry) || !isKnownMutation(entry)) return false;
  return pullsRuns || runsReadBy[entry.name] !== 'session' || !serverMayHaveRecord(entry);
}

/** Tells whether a mutation can be replayed only after all records (the cursor and the runs) are loaded. */
export function needsAllRecords(entry: SendableEntry): boolean {
  if (entry.state === 'forwarded') return true;
  switch (runsReadBy[entry.name]) {
    case 'run':
      return true;
    case 'session':
    case 'session_or_map':
      return serverMayHaveRecord(entry);
    default:
      return false;
  }
}

const serverMayHaveRecord = ({ proven_at, state }: SendableEntry): boolean =>
  proven_at !== null || state === 'forwarded';

/**
 * Tells whether the base has the effects of a forwarded mutation. Its answer stores the cursor at that time, '' before
 * the first pull, and a later pull moves the cursor. A refused mutation has no effects; the outbox settles it after the
 * pull.
 */
export const isInBase = ({ answer }: ForwardedEntry, cursor = ''): boolean =>
  answer?.outcome === 'done' && answer.cursor !== cursor;
