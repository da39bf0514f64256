/**
 * Decides which unsettled mutations the view replays on the base, and which of these need all records to be loaded.
 * Pure.
 */
import { runLookups } from '../../shared/domain/runs-read.ts';
import { isReplaced, type ForwardedEntry, type SendableEntry } from '../outbox/model/entry.ts';
import { isKnownMutation } from '../outbox/model/mutation.ts';

/**
 * Tells whether the view replays a mutation. `pullsRuns` is false if the device lacks runs (a watch, or a scope). Such
 * a device cannot see that the server already has a forwarded or resent recording, and would count the recording twice.
 */
export function isReplayed(entry: SendableEntry, { pullsRuns }: { pullsRuns: boolean }): boolean {
  if (isReplaced(entry) || !isKnownMutation(entry)) return false;
  return pullsRuns || runLookups[entry.name] !== 'session' || !mayBeOnServer(entry);
}

/** Tells whether the replay of a mutation needs all records (the cursor and the runs). */
export function needsAllRecords(entry: SendableEntry): boolean {
  if (entry.state === 'forwarded') return true;
  switch (runLookups[entry.name]) {
    case 'run':
      return true;
    case 'session':
    case 'session_or_map':
      return mayBeOnServer(entry);
    default:
      return false;
  }
}

const mayBeOnServer = ({ proven_at, state }: SendableEntry): boolean => proven_at !== null || state === 'forwarded';

/**
 * Tells whether the base has the effects of a forwarded mutation: the mutation succeeded, and the device has pulled
 * since the answer. `answer.cursor` is the device's cursor at the answer ('' before the first pull).
 */
export const isInBase = ({ answer }: ForwardedEntry, cursor = ''): boolean =>
  answer?.outcome === 'done' && answer.cursor !== cursor;
