/** Which pending entries are replayed on the base, and which need more of it than a device may have read. Pure. */
import { runsRead } from '../../shared/domain/runs-read.ts';
import { isMadeAgain, type SendableEntry } from '../outbox/model/entry.ts';
import { isKnown } from '../outbox/model/mutation.ts';

/**
 * The server may have a recording already that is sent again, or forwarded: a device that pulls runs sees that by its
 * session, and one that does not would count it twice.
 */
export function isReplayed(entry: SendableEntry, { pullsRuns }: { pullsRuns: boolean }): boolean {
  if (isMadeAgain(entry) || !isKnown(entry)) return false;
  return pullsRuns || runsRead[entry.name] !== 'session' || !mayStand(entry);
}

/** Whether the result depends on the runs; the cursor, which says what is done of forwarded work, is read with them. */
export function needsRunsFirst(entry: SendableEntry): boolean {
  if (entry.state === 'forwarded') return true;
  switch (runsRead[entry.name]) {
    case 'run':
      return true;
    case 'session':
    case 'session_or_map':
      return mayStand(entry);
    default:
      return false;
  }
}

/** Whether the server may have the mutation's record. */
const mayStand = ({ acknowledged_at, state }: SendableEntry): boolean =>
  acknowledged_at !== null || state === 'forwarded';
