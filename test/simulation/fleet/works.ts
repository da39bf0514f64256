/** What people did on the devices of a fleet, and how it is known again on the server, in attention or in a file. */
import { isDeepStrictEqual } from 'node:util';
import type { MutationName } from '../../../shared/schema/mutation.ts';

export interface Step {
  stage_name: string;
  notes: string;
}

/** Everything that was acknowledged carries a name, a step or a moment that no other work has. */
export type Deed =
  | { kind: 'recording'; session: string; steps: Step[] }
  | { kind: 'named'; name: MutationName; field: 'name' | 'stage'; tag: string }
  | { kind: 'timed'; name: MutationName; args: Record<string, unknown>; fromMs: number; toMs: number };

export interface Work {
  id: number;
  device: string;
  deed: Deed;
  /** A person discarded it, or deleted the run that it made: it may be gone. */
  isGivenUp: boolean;
  /** A remedy made it again at another moment, under which a timed one is not known. */
  isRemade: boolean;
}

/** A mutation as the wire, the attention or the log of the server has it. */
export interface Seen {
  name?: unknown;
  args?: unknown;
  recorded_at?: unknown;
}

/** Two devices that do the same to the same have done it, whichever of them it was that was heard. */
export function isOf(work: Work, seen: Seen): boolean {
  const { deed } = work;
  return isItself(work, seen) || (deed.kind === 'timed' && isSame(deed, seen));
}

export const isSame = (one: Seen, other: Seen): boolean =>
  one.name === other.name && isDeepStrictEqual(one.args, other.args);

/** The one that this device did. */
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

/** Two devices that finish a recording that both had under way have one session and other steps. */
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
