/**
 * Makes other mutations in place of a refused one. Its dependents, refused or pending mutations that name records which it
 * would have made, are made again behind it, in their order, with the new ids. Pure.
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
  /** The last one stands for the refused one; with none of them the dependents stay as they are. */
  mutations: NewMutation[];
  recorded_at: string;
}

export interface Replaced {
  content: OutboxContent;
  /** The new entries: `mutations`, and behind them the dependents. */
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

/** Keeps the session that the worker knows, where a remedy gave the recording another one. */
function withFormerSession(entry: PendingEntry, refused: RefusedEntry): PendingEntry {
  const session = refused.args['recording_session_id'];
  const former_session = refused.former_session ?? (typeof session === 'string' ? session : undefined);
  const isNew = former_session !== undefined && entry.args['recording_session_id'] !== former_session;
  return isNew ? { ...entry, former_session } : entry;
}

type Dependent = RefusedEntry | PendingEntry;

/** Finds the mutations that fail because `refused` did, directly or through one another, in their order. */
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

/** Finds the refused mutation that `entry` depends on; the nearest of several. */
export function causeOf<Cause extends Failed>(entry: Failed, refused: readonly Cause[]): Cause | undefined {
  if (!mayDepend(entry)) return undefined;
  const named = new Set(namedBy(entry));
  const isCause = (cause: Cause) =>
    positionOf(cause) < positionOf(entry) && madeBy(cause).some((reference) => named.has(reference));
  return refused.findLast(isCause);
}

/** Codes of refusals because a named record is missing, or is another one with the same id. */
const missingCodes: ReadonlySet<ProblemCode> = new Set([
  'map_not_found',
  'map_deleted',
  'stage_not_found',
  'run_not_found',
  'stage_ids_mismatch',
]);

const mayDepend = (entry: Dependent | Failed): boolean =>
  entry.state === 'pending' ? !isMadeAgain(entry) : missingCodes.has(entry.error.code);

/** Gives the number up: its work is made again under another one. */
const withdrawn = (entry: PendingEntry): PendingEntry => ({ ...entry, args: {}, payload: madeAgain });
