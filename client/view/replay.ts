/**
 * Decides which unsettled entries are replayed on the base, and which of them can be replayed only after the runs are
 * loaded: a starting tab loads the runs last. Pure.
 */
import { runsReadBy } from '../../shared/domain/runs-read.ts';
import { isReplaced, type SendableEntry } from '../outbox/model/entry.ts';
import { isKnownMutation } from '../outbox/model/mutation.ts';

/**
 * Tells whether the entry is replayed. The server may already have a forwarded recording, or one that is sent again. A
 * device that pulls runs recognizes the recording by its session. A device without runs would count the recording twice,
 * so it does not replay the recording.
 */
export function isReplayed(entry: SendableEntry, { pullsRuns }: { pullsRuns: boolean }): boolean {
  if (isReplaced(entry) || !isKnownMutation(entry)) return false;
  return pullsRuns || runsReadBy[entry.name] !== 'session' || !serverMayHaveRecord(entry);
}

/** Tells whether the entry can be replayed only after the runs (if it is forwarded, after the cursor) are loaded. */
export function needsRunsFirst(entry: SendableEntry): boolean {
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

/** Tells whether the server may already have the record that the mutation makes. */
const serverMayHaveRecord = ({ proven_at, state }: SendableEntry): boolean =>
  proven_at !== null || state === 'forwarded';
