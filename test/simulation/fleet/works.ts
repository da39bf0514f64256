/** The work of people on the devices of a fleet, and how to recognise it on the server, in attention or in a file. */
import { isDeepStrictEqual } from 'node:util';
import type { MutationName } from '../../../shared/schema/mutation.ts';

export interface Step {
  stage_name: string;
  notes: string;
}

/** Each piece of work has a name, a step or a time that no other work has. */
export type Deed =
  | { kind: 'recording'; session: string; steps: Step[] }
  | { kind: 'named'; name: MutationName; field: 'name' | 'stage'; tag: string }
  | { kind: 'timed'; name: MutationName; args: Record<string, unknown>; fromMs: number; toMs: number };

export interface Work {
  id: number;
  device: string;
  deed: Deed;
  /** A person discarded the recording or deleted its run, so it may be missing. */
  isGivenUp: boolean;
  /** A remedy made the change again at another time, so its time no longer identifies it. */
  isRemade: boolean;
}

/** A mutation as the wire, the attention list or the server's log shows it. */
export interface Seen {
  name?: unknown;
  args?: unknown;
  recorded_at?: unknown;
}

/** Equal changes of two devices count for both, whichever of them the server received. */
export function isOf(work: Work, seen: Seen): boolean {
  const { deed } = work;
  return isItself(work, seen) || (deed.kind === 'timed' && isSame(deed, seen));
}

export const isSame = (one: Seen, other: Seen): boolean =>
  one.name === other.name && isDeepStrictEqual(one.args, other.args);

/** Whether the mutation is this very work. */
export function isItself({ deed }: Work, seen: Seen): boolean {
  const args = (seen.args ?? {}) as Record<string, unknown>;
  switch (deed.kind) {
    case 'recording':
      return (
        args['recording_session_id'] === deed.session &&
        recordingKey(deed.session, args['steps']) === recordingKey(deed.session, deed.steps)
      );
    case 'named':
      return seen.name === deed.name && args[deed.field] === deed.tag;
    case 'timed': {
      const at = Date.parse(String(seen.recorded_at));
      return seen.name === deed.name && at >= deed.fromMs && at <= deed.toMs;
    }
  }
}

/** The steps are part of the key: two devices may finish one session with different steps. */
export function recordingKey(session: string, steps: unknown): string {
  const listed = Array.isArray(steps) ? (steps as Partial<Step>[]) : [];
  return JSON.stringify([session, ...listed.map(({ stage_name, notes = '' }) => [stage_name, notes])]);
}

export function describe({ device, deed }: Work): string {
  switch (deed.kind) {
    case 'recording':
      return `the recording ${deed.steps.map(({ stage_name }) => stage_name).join(' ')} made on ${device}`;
    case 'named':
      return `${deed.name} "${deed.tag}" made on ${device}`;
    case 'timed':
      return `${deed.name} made on ${device}`;
  }
}
