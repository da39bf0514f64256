/**
 * Decides whether a change of a run is sent again if the server refused it because it lacked the run. A server restored
 * from a backup may lack a run until the device that recorded the run sends it again. Pure.
 */
import { fieldsOf } from '../../../../shared/domain/fields-of.ts';
import { toRunSteps } from '../../../../shared/domain/run.ts';
import { distinctTags } from '../../../../shared/domain/tags.ts';
import { canonicalJson } from '../../../../shared/protocol/canonical-json.ts';
import type { RecordingStep } from '../../../../shared/schema/recording.ts';
import type { RunDoc, RunPatch } from '../../../../shared/schema/run.ts';
import type { OutboxContent } from '../content.ts';
import { replaceRefused } from './replacement.ts';
import type { RefusedOrDiscardedEntry, RefusedEntry } from '../entry.ts';
import { newMutation } from '../mutation.ts';
import { rowIdOf } from '../parse-entry.ts';

/** Returns the run as of the last pull; undefined if the server lacks the run. */
export type FindRun = (runId: number) => RunDoc | undefined;

/**
 * - `waiting`: the server still lacks the run.
 * - `unchanged`: nobody has changed the fields that the mutation changes, so the mutation can be sent again.
 * - `done`: the run already has the values that the mutation would set.
 * - `overtaken`: the run has a newer change, which the mutation would overwrite.
 */
export type ReturnedRunState = 'waiting' | 'unchanged' | 'done' | 'overtaken';

/**
 * Returns undefined unless the server refused a correction or change of a run because it lacked the run. A deletion
 * cannot be undone, so the device never sends one again by itself.
 */
export function returnedRunState(
  { name, args, error }: RefusedOrDiscardedEntry,
  findRun: FindRun,
): ReturnedRunState | undefined {
  if (error.code !== 'run_not_found' || (name !== 'correct_run' && name !== 'update_run')) return undefined;
  const run = findRun(Number(args['run_id']));
  if (!run) return 'waiting';
  return name === 'correct_run' ? stateOfCorrection(run, args['steps']) : stateOfChange(run, args);
}

function stateOfCorrection(run: RunDoc, steps: unknown): ReturnedRunState {
  if (!Array.isArray(steps)) return 'overtaken';
  if (isEqual(toRunSteps(steps as RecordingStep[]), run.steps)) return 'done';
  return run.revision === undefined ? 'unchanged' : 'overtaken';
}

export const emptyRunFields: Required<RunPatch> = { name: '', tags: [], note: '', excluded: null };

function stateOfChange(run: RunDoc, args: Record<string, unknown>): ReturnedRunState {
  const currentValue = (name: keyof RunPatch) => run[name] ?? emptyRunFields[name];
  const differing = fieldsOf(emptyRunFields).filter(
    (name) => name in args && !isEqual(fieldValueOf(name, args), currentValue(name)),
  );
  if (differing.length === 0) return 'done';
  return differing.every((name) => isEqual(currentValue(name), emptyRunFields[name])) ? 'unchanged' : 'overtaken';
}

function fieldValueOf(name: keyof RunPatch, args: Record<string, unknown>): unknown {
  const value = args[name];
  const isListOfTexts = Array.isArray(value) && value.every((one) => typeof one === 'string');
  return name === 'tags' && isListOfTexts ? distinctTags(value) : value;
}

const isEqual = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b);

/**
 * Returns the refused changes to resend or to remove: changes of runs that the server lacked and now has again. Omits
 * a change to resend while the device has an unsettled mutation with the same name for the same run.
 */
function entriesToSettle({ refused, pending, forwarded }: OutboxContent, findRun: FindRun): RefusedEntry[] {
  const keyOf = ({ name, args }: Pick<RefusedOrDiscardedEntry, 'name' | 'args'>) => `${name}|${String(args['run_id'])}`;
  const unsettled = new Set([...pending, ...forwarded].map(keyOf));
  return refused.filter((entry) => {
    const state = returnedRunState(entry, findRun);
    return state === 'done' || (state === 'unchanged' && !unsettled.has(keyOf(entry)));
  });
}

export const hasReturnedRun = (content: OutboxContent, findRun: FindRun): boolean =>
  entriesToSettle(content, findRun).length > 0;

/** Sends refused changes of returned runs again. Removes a refused change that its run already has. */
export function settleReturnedRuns(content: OutboxContent, findRun: FindRun, recorded_at: string): OutboxContent {
  let current = content;
  for (const entry of entriesToSettle(content, findRun)) {
    const isDone = returnedRunState(entry, findRun) === 'done';
    const replacement = { refused: entry, mutations: [newMutation(entry)], recorded_at };
    current = isDone ? withoutEntry(current, entry) : replaceRefused(current, replacement).content;
  }
  return current;
}

const withoutEntry = (content: OutboxContent, entry: RefusedEntry): OutboxContent => ({
  ...content,
  refused: content.refused.filter((other) => rowIdOf(other) !== rowIdOf(entry)),
});
