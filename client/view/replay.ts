/**
 * Decides which pending entries are replayed on the base, and which of them need the base's runs, which a starting tab
 * loads last. Pure.
 */
import { runsReadBy } from '../../shared/domain/runs-read.ts';
import { isReplaced, type SendableEntry } from '../outbox/model/entry.ts';
import { isKnownMutation } from '../outbox/model/mutation.ts';

/**
 * The server may already have a recording that is forwarded or sent again. A device that pulls runs recognizes it by its
 * recording session; a device without runs would count the recording twice, and so does not replay it.
 */
export function isReplayed(entry: SendableEntry, { pullsRuns }: { pullsRuns: boolean }): boolean {
  if (isReplaced(entry) || !isKnownMutation(entry)) return false;
  return pullsRuns || runsReadBy[entry.name] !== 'session' || !serverMayHaveRecord(entry);
}

/** Whether the entry is replayed only after the runs are loaded. Forwarded work also needs the cursor, loaded with them. */
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

/** Whether the server may already have the record that the mutation makes. */
const serverMayHaveRecord = ({ proven_at, state }: SendableEntry): boolean =>
  proven_at !== null || state === 'forwarded';
