/**
 * Replaces a refused mutation by other mutations. Its dependents are the refused and pending mutations that name records
 * which the refused mutation would have made; they are made again after the replacement, with the new ids. Pure.
 */
import type { ProblemCode } from '../../../../shared/protocol/problem.ts';
import { appended } from '../appending.ts';
import type { OutboxContent } from '../content.ts';
import {
  byPosition,
  isMadeAgain,
  madeAgain,
  positionOf,
  type KeptEntry,
  type PendingEntry,
  type RefusedEntry,
} from '../entry.ts';
import type { NewMutation } from '../mutation.ts';
import { rowIdOf } from '../parse-entry.ts';
import { madeBy, namedBy, renamed, renamesOf, type Reference } from './references.ts';

interface Replacement {
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

export function replaceRefused(content: OutboxContent, { refused, mutations, recorded_at }: Replacement): Replaced {
  const successor = mutations.at(-1);
  const dependents = successor ? dependentsOf(refused, [...content.refused, ...content.pending]) : [];
  const renames = successor ? renamesOf(refused, successor) : new Map<Reference, string>();
  const again = dependents.map((entry) => renamed(entry, renames));
  const { device, entries } = appended(content.device, [...mutations, ...again], recorded_at);
  const made = entries.map((entry, index) =>
    index === mutations.length - 1 ? withFormerSession(entry, refused) : entry,
  );
  const moved = new Set(dependents.map(rowIdOf));
  const gone = new Set([...moved, rowIdOf(refused)]);
  const pending = content.pending.map((entry) => (moved.has(rowIdOf(entry)) ? withdrawn(entry) : entry));
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
  const missing = new Set(madeBy(refused));
  const later = others.filter((entry) => positionOf(entry) > positionOf(refused)).toSorted(byPosition);
  return later.filter((entry) => {
    if (!mayDepend(entry) || !namedBy(entry).some((reference) => missing.has(reference))) return false;
    for (const reference of madeBy(entry)) missing.add(reference);
    return true;
  });
}

type Failed = Extract<KeptEntry, { error: unknown }>;

/** Finds the refused mutation that `entry` depends on; if there are several, the latest before `entry`. */
export function causeOf<Cause extends Failed>(entry: Failed, refused: readonly Cause[]): Cause | undefined {
  if (!mayDepend(entry)) return undefined;
  const named = new Set(namedBy(entry));
  const isCause = (cause: Cause) =>
    positionOf(cause) < positionOf(entry) && madeBy(cause).some((reference) => named.has(reference));
  return refused.findLast(isCause);
}

/** Codes of refusals whose cause may be that an earlier mutation did not make the named record. */
const missingCodes: ReadonlySet<ProblemCode> = new Set([
  'map_not_found',
  'map_deleted',
  'stage_not_found',
  'run_not_found',
  'stage_ids_mismatch',
]);

const mayDepend = (entry: Dependent | Failed): boolean =>
  entry.state === 'pending' ? !isMadeAgain(entry) : missingCodes.has(entry.error.code);

/** Turns the entry into a noop, since its work is made again under another number. */
const withdrawn = (entry: PendingEntry): PendingEntry => ({ ...entry, args: {}, payload: madeAgain });
