/**
 * Decides what becomes of refused changes of runs that the server lacked, once it has the run. A server that was
 * restored from a backup lacks a run until the device that recorded the run sends it again. Pure.
 */
import { fieldsOf } from '../../../../shared/domain/fields-of.ts';
import { toRunSteps } from '../../../../shared/domain/run.ts';
import { distinctTags } from '../../../../shared/domain/tags.ts';
import { canonicalJson } from '../../../../shared/protocol/canonical-json.ts';
import type { RecordingStep } from '../../../../shared/schema/recording.ts';
import type { RunDoc, RunPatch } from '../../../../shared/schema/run.ts';
import type { OutboxContent } from '../content.ts';
import { replaceRefused } from './replacement.ts';
import type { FailedEntry, RefusedEntry } from '../entry.ts';
import { newMutation } from '../mutation.ts';
import { rowIdOf } from '../parse-entry.ts';

/** Returns the run as it was last pulled; undefined if the server lacks the run. */
export type FindRun = (runId: number) => RunDoc | undefined;

/**
 * - `waiting`: the run is not there.
 * - `unchanged`: nobody has changed there what the mutation changes, so the mutation can be sent again.
 * - `done`: the run has what the mutation would give it.
 * - `overtaken`: the run has a newer change, which the mutation would overwrite.
 */
export type ReturnedRunState = 'waiting' | 'unchanged' | 'done' | 'overtaken';

/** Returns undefined for any mutation but a refused correction or change of a run that the server lacked. */
export function returnedRunState({ name, args, error }: FailedEntry, findRun: FindRun): ReturnedRunState | undefined {
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
  const present = (name: keyof RunPatch) => run[name] ?? emptyRunFields[name];
  const differing = fieldsOf(emptyRunFields).filter(
    (name) => name in args && !isEqual(fieldValueOf(name, args), present(name)),
  );
  if (differing.length === 0) return 'done';
  return differing.every((name) => isEqual(present(name), emptyRunFields[name])) ? 'unchanged' : 'overtaken';
}

function fieldValueOf(name: keyof RunPatch, args: Record<string, unknown>): unknown {
  const value = args[name];
  const isListOfTexts = Array.isArray(value) && value.every((one) => typeof one === 'string');
  return name === 'tags' && isListOfTexts ? distinctTags(value) : value;
}

const isEqual = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b);

/** The refused entries that the return of their runs settles. A newer change that this device has not sent goes first. */
function settledByReturn({ refused, pending, forwarded }: OutboxContent, findRun: FindRun): RefusedEntry[] {
  const keyOf = ({ name, args }: Pick<FailedEntry, 'name' | 'args'>) => `${name}|${String(args['run_id'])}`;
  const unsettled = new Set([...pending, ...forwarded].map(keyOf));
  return refused.filter((entry) => {
    const state = returnedRunState(entry, findRun);
    return state === 'done' || (state === 'unchanged' && !unsettled.has(keyOf(entry)));
  });
}

export const hasReturnedRun = (content: OutboxContent, findRun: FindRun): boolean =>
  settledByReturn(content, findRun).length > 0;

/** Sends the changes of returned runs again, and removes those that the run already has. */
export function settleReturnedRuns(content: OutboxContent, findRun: FindRun, recorded_at: string): OutboxContent {
  let current = content;
  for (const entry of settledByReturn(content, findRun)) {
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
