/**
 * Replaces a refused mutation by other mutations, followed by copies of its dependents with the new ids. The dependents
 * are the mutations that refer to a record which the refused mutation should have created. Pure.
 */
import type { ProblemCode } from '../../../../shared/protocol/problem.ts';
import { appendMutations } from '../appending.ts';
import type { OutboxContent } from '../content.ts';
import {
  byNumber,
  isReplaced,
  replacedPayload,
  numberOf,
  type RefusedOrDiscardedEntry,
  type PendingEntry,
  type RefusedEntry,
} from '../entry.ts';
import type { NewMutation } from '../mutation.ts';
import { rowIdOf } from '../parse-entry.ts';
import {
  recordsCreatedBy,
  recordsReferencedBy,
  withChangedIds,
  changedIdsBetween,
  type RecordReference,
} from './references.ts';

interface ReplacementOptions {
  refused: RefusedEntry;
  /**
   * The last mutation replaces the refused mutation. Earlier mutations prepare the replacement: one may restore the
   * map.
   */
  mutations: NewMutation[];
  recorded_at: string;
}

interface ReplacementResult {
  content: OutboxContent;
  /** The entries of `mutations`, then the copies of the dependents. */
  made: PendingEntry[];
}

export function replaceRefused(
  content: OutboxContent,
  { refused, mutations, recorded_at }: ReplacementOptions,
): ReplacementResult {
  const successor = mutations.at(-1);
  const dependents = successor ? dependentsOf(refused, [...content.refused, ...content.pending]) : [];
  const changedIds = successor ? changedIdsBetween(refused, successor) : new Map<RecordReference, string>();
  const copies = dependents.map((entry) => withChangedIds(entry, changedIds));
  const { device, entries } = appendMutations(content.device, [...mutations, ...copies], recorded_at);
  const prepared = mutations.length - 1;
  const made = entries.map((entry, index) =>
    index < prepared
      ? entry
      : withHistoryOfReplaced(entry, index === prepared ? refused : dependents[index - mutations.length]!),
  );
  const dependentIds = new Set(dependents.map(rowIdOf));
  const replacedIds = new Set([...dependentIds, rowIdOf(refused)]);
  const pending = content.pending.map((entry) => (dependentIds.has(rowIdOf(entry)) ? toReplacedNoop(entry) : entry));
  return {
    content: {
      ...content,
      device,
      refused: content.refused.filter((entry) => !replacedIds.has(rowIdOf(entry))),
      pending: [...pending, ...made],
    },
    made,
  };
}

/**
 * Copies three facts from the replaced entry: whether another device made it, when a pull proved that the server has
 * its recording, and its original recording session. The app may still look up the recording by the original session.
 */
function withHistoryOfReplaced(
  entry: PendingEntry,
  { args, is_foreign, proven_at, ...replaced }: Dependent,
): PendingEntry {
  const session = args['recording_session_id'];
  const former_session = replaced.former_session ?? (typeof session === 'string' ? session : undefined);
  const isNew = former_session !== undefined && entry.args['recording_session_id'] !== former_session;
  return {
    ...entry,
    // A recording with a new session is new to the server, so no pull has proven it.
    proven_at: entry.args['recording_session_id'] === session ? proven_at : null,
    ...(is_foreign ? { is_foreign } : {}),
    ...(isNew ? { former_session } : {}),
  };
}

type Dependent = RefusedEntry | PendingEntry;

/** Finds the mutations that depend on `refused`, directly or through other dependents, ordered by sequence number. */
function dependentsOf(refused: RefusedEntry, others: Dependent[]): Dependent[] {
  const missing = new Set(recordsCreatedBy(refused));
  const later = others.filter((entry) => numberOf(entry) > numberOf(refused)).toSorted(byNumber);
  return later.filter((entry) => {
    if (!mayDependOnRefusedEntry(entry) || !recordsReferencedBy(entry).some((reference) => missing.has(reference)))
      return false;
    for (const reference of recordsCreatedBy(entry)) missing.add(reference);
    return true;
  });
}

/** Finds the latest refused mutation on which `entry` depends. */
export function causeOf<Cause extends RefusedOrDiscardedEntry>(
  entry: RefusedOrDiscardedEntry,
  refused: readonly Cause[],
): Cause | undefined {
  if (!mayDependOnRefusedEntry(entry)) return undefined;
  const references = new Set(recordsReferencedBy(entry));
  const isCause = (cause: Cause) =>
    numberOf(cause) < numberOf(entry) && recordsCreatedBy(cause).some((reference) => references.has(reference));
  return refused.findLast(isCause);
}

/**
 * A refusal with one of these codes means that a record is missing. The server may have refused the mutation that
 * creates the record, too.
 */
const missingRecordCodes: ReadonlySet<ProblemCode> = new Set([
  'map_not_found',
  'map_deleted',
  'stage_not_found',
  'run_not_found',
  'stage_ids_mismatch',
]);

/**
 * True for a pending mutation, and for a refused mutation only if the server refused it because a record is missing.
 */
const mayDependOnRefusedEntry = (entry: Dependent | RefusedOrDiscardedEntry): boolean =>
  entry.state === 'pending' ? !isReplaced(entry) : missingRecordCodes.has(entry.error.code);

/** Turns a pending entry into a noop, because a copy of its mutation was made under a new sequence number. */
const toReplacedNoop = (entry: PendingEntry): PendingEntry => ({ ...entry, args: {}, payload: replacedPayload });
