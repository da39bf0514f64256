/**
 * Replaces a refused mutation by other mutations. Its dependents are the refused and pending mutations that name records
 * which the refused mutation would have made; they are made again after the replacement, with the new ids. Pure.
 */
import type { ProblemCode } from '../../../../shared/protocol/problem.ts';
import { appendMutations } from '../appending.ts';
import type { OutboxContent } from '../content.ts';
import {
  byNumber,
  isReplaced,
  replacedPayload,
  numberOf,
  type SettledEntry,
  type PendingEntry,
  type RefusedEntry,
} from '../entry.ts';
import type { NewMutation } from '../mutation.ts';
import { rowIdOf } from '../parse-entry.ts';
import { recordsMadeBy, recordsNamedBy, withReplacedIds, replacedIdsOf, type RecordReference } from './references.ts';

interface ReplacementOptions {
  refused: RefusedEntry;
  /** The last mutation replaces the refused one; if the list is empty, the dependents stay as they are. */
  mutations: NewMutation[];
  recorded_at: string;
}

export interface Replaced {
  content: OutboxContent;
  /** The new entries: first `mutations`, then the dependents that were made again. */
  made: PendingEntry[];
}

export function replaceRefused(
  content: OutboxContent,
  { refused, mutations, recorded_at }: ReplacementOptions,
): Replaced {
  const successor = mutations.at(-1);
  const dependents = successor ? dependentsOf(refused, [...content.refused, ...content.pending]) : [];
  const renames = successor ? replacedIdsOf(refused, successor) : new Map<RecordReference, string>();
  const again = dependents.map((entry) => withReplacedIds(entry, renames));
  const { device, entries } = appendMutations(content.device, [...mutations, ...again], recorded_at);
  const made = entries.map((entry, index) =>
    index === mutations.length - 1 ? withFormerSession(entry, refused) : entry,
  );
  const moved = new Set(dependents.map(rowIdOf));
  const gone = new Set([...moved, rowIdOf(refused)]);
  const pending = content.pending.map((entry) => (moved.has(rowIdOf(entry)) ? asReplaced(entry) : entry));
  return {
    content: {
      ...content,
      device,
      refused: content.refused.filter((entry) => !gone.has(rowIdOf(entry))),
      pending: [...pending, ...made],
    },
    made,
  };
}

/** Keeps the recording session that the worker's app knows, if a remedy gave the recording a new session. */
function withFormerSession(entry: PendingEntry, refused: RefusedEntry): PendingEntry {
  const session = refused.args['recording_session_id'];
  const former_session = refused.former_session ?? (typeof session === 'string' ? session : undefined);
  const isNew = former_session !== undefined && entry.args['recording_session_id'] !== former_session;
  return isNew ? { ...entry, former_session } : entry;
}

type Dependent = RefusedEntry | PendingEntry;

/** Finds the mutations that depend on `refused`, directly or through other dependents, in their order. */
function dependentsOf(refused: RefusedEntry, others: Dependent[]): Dependent[] {
  const missing = new Set(recordsMadeBy(refused));
  const later = others.filter((entry) => numberOf(entry) > numberOf(refused)).toSorted(byNumber);
  return later.filter((entry) => {
    if (!mayDepend(entry) || !recordsNamedBy(entry).some((reference) => missing.has(reference))) return false;
    for (const reference of recordsMadeBy(entry)) missing.add(reference);
    return true;
  });
}

type Failed = Extract<SettledEntry, { error: unknown }>;

/** Finds the refused mutation that `entry` depends on; if there are several, the latest before `entry`. */
export function causeOf<Cause extends Failed>(entry: Failed, refused: readonly Cause[]): Cause | undefined {
  if (!mayDepend(entry)) return undefined;
  const named = new Set(recordsNamedBy(entry));
  const isCause = (cause: Cause) =>
    numberOf(cause) < numberOf(entry) && recordsMadeBy(cause).some((reference) => named.has(reference));
  return refused.findLast(isCause);
}

/** Codes of refusals whose cause may be that an earlier mutation did not make the named record. */
const missingRecordCodes: ReadonlySet<ProblemCode> = new Set([
  'map_not_found',
  'map_deleted',
  'stage_not_found',
  'run_not_found',
  'stage_ids_mismatch',
]);

const mayDepend = (entry: Dependent | Failed): boolean =>
  entry.state === 'pending' ? !isReplaced(entry) : missingRecordCodes.has(entry.error.code);

/** Turns the entry into a noop, since its work is made again under another number. */
const asReplaced = (entry: PendingEntry): PendingEntry => ({ ...entry, args: {}, payload: replacedPayload });
