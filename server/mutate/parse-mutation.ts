/** Turns a name and unchecked args into a valid and complete `Mutation`, or refuses them. */
import { invalid } from '../../shared/domain/outcome.ts';
import type { Refused } from '../../shared/domain/state.ts';
import { canonicalJson } from '../../shared/protocol/canonical-json.ts';
import type { RecordingStep } from '../../shared/schema/recording.ts';
import {
  mutationArgs,
  mutationNames,
  type MutationArgs,
  type Mutation,
  type MutationName,
} from '../../shared/schema/mutation.ts';
import { sha256 } from '../core/hash.ts';
import { validator, type Validator } from '../core/validator.ts';
import { randomUuid, timedUuid, type World } from '../core/world.ts';

type Parsed = { ok: true; mutation: Mutation } | Refused;

export function parseMutation(name: unknown, rawArgs: unknown, world: World): Parsed {
  if (!isMutationName(name)) return invalid([{ path: '/name', message: `must be one of ${mutationNames.join(', ')}` }]);
  const args = checks[name](rawArgs);
  return args.ok ? completeMutation(name, args.value as MutationArgs[MutationName], world) : args;
}

/** Completes valid args: UUIDs become lower-case, missing ids are generated, and a digest must match the steps. */
export function completeMutation<Name extends MutationName>(
  name: Name,
  args: MutationArgs[Name],
  world: World,
): Parsed {
  const { digest, ...rest } = args as LooseArgs;
  if (digest !== undefined && digest !== sha256(canonicalJson(rest.steps))) {
    return invalid([{ path: '/digest', message: 'is not the SHA-256 of the RFC 8785 form of steps' }]);
  }
  const complete: LooseArgs = { ...rest };
  if (rest.map_id !== undefined) complete.map_id = rest.map_id.toLowerCase();
  else if (makesMap(name)) complete.map_id = timedUuid(world);
  if (isRecording(name)) complete.recording_session_id = rest.recording_session_id ?? randomUuid(world);
  return { ok: true, mutation: { name, args: complete } as unknown as Mutation };
}

/** The args of all mutations that need completing or checking here. */
interface LooseArgs {
  map_id?: string;
  recording_session_id?: string;
  steps?: RecordingStep[];
  digest?: string;
}

/**
 * Limits the values of one mutation whose errors are all listed, since a push may hold thousands of invalid mutations.
 */
const explainedValuesMax = 100;

const checks = Object.fromEntries(
  mutationNames.map((name) => [name, validator(mutationArgs[name], { explainedValuesMax })]),
) as Record<MutationName, Validator<unknown>>;

export const isMutationName = (name: unknown): name is MutationName => mutationNames.includes(name as MutationName);
const makesMap = (name: MutationName): boolean => name === 'create_map' || name === 'record_new_map';

export const isRecording = (name: MutationName): boolean => name === 'upload_recording' || name === 'record_new_map';
