/** The work of people on the devices of a fleet, and how to recognise it on the server, in attention or in a file. */
import { isDeepStrictEqual } from 'node:util';
import type { MutationName } from '../../../shared/schema/mutation.ts';

export interface Step {
  stage_name: string;
  notes: string;
}

/** Each piece of work has a name, a step or a time that no other work has. */
export type WorkIdentity =
  | { kind: 'recording'; session: string; steps: Step[] }
  | { kind: 'named'; name: MutationName; field: 'name' | 'stage'; tag: string }
  | TimedIdentity;

interface TimedIdentity {
  kind: 'timed';
  name: MutationName;
  args: Record<string, unknown>;
  /** The times between which it was made, by the clock of its device. */
  fromMs: number;
  toMs: number;
  /** The clock was wrong, so that other work may have the same time. */
  isUnsure: boolean;
}

export interface Work {
  id: number;
  device: string;
  identity: WorkIdentity;
  /** A person discarded the recording or deleted its run, so it may be missing. */
  isGivenUp: boolean;
  /** A remedy made the change again at another time, so the first time no longer identifies the work. */
  isRemade: boolean;
}

/** A mutation as the wire, the attention list or the server's log shows it. */
export interface ObservedMutation {
  name?: unknown;
  args?: unknown;
  recorded_at?: unknown;
}

/** Returns whether a mutation counts as this work. If two devices made equal changes, either mutation counts for both. */
export function matchesWork(work: Work, observed: ObservedMutation): boolean {
  const { identity } = work;
  return isExactly(work, observed) || (identity.kind === 'timed' && hasSameContent(identity, observed));
}

export const hasSameContent = (one: ObservedMutation, other: ObservedMutation): boolean =>
  one.name === other.name && isDeepStrictEqual(one.args, other.args);

/** Returns whether the mutation is this work, and not an equal change of another device. */
export function isExactly({ identity }: Work, observed: ObservedMutation): boolean {
  const args = (observed.args ?? {}) as Record<string, unknown>;
  switch (identity.kind) {
    case 'recording':
      return (
        args['recording_session_id'] === identity.session &&
        recordingKey(identity.session, args['steps']) === recordingKey(identity.session, identity.steps)
      );
    case 'named':
      return observed.name === identity.name && args[identity.field] === identity.tag;
    case 'timed': {
      const at = Date.parse(String(observed.recorded_at));
      return observed.name === identity.name && at >= identity.fromMs && at <= identity.toMs;
    }
  }
}

/** The steps are part of the key: two devices may finish one session with different steps. */
export function recordingKey(session: string, steps: unknown): string {
  const listed = Array.isArray(steps) ? (steps as Partial<Step>[]) : [];
  return JSON.stringify([session, ...listed.map(({ stage_name, notes = '' }) => [stage_name, notes])]);
}

export function describe({ device, identity }: Work): string {
  switch (identity.kind) {
    case 'recording':
      return `the recording ${stageNames(identity.steps)} made on ${device}`;
    case 'named':
      return `${identity.name} "${identity.tag}" made on ${device}`;
    case 'timed':
      return `${identity.name} made on ${device}`;
  }
}

export const stageNames = (steps: readonly Step[]): string => steps.map(({ stage_name }) => stage_name).join(' ');
