/** Parses a name and unchecked args into a valid and complete `Mutation`, or returns a refusal. */
import { validationRefusal } from '../../shared/domain/outcome.ts';
import { isRecordingUpload } from '../../shared/domain/runs-read.ts';
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
import { createValidator, type Validator } from '../core/validator.ts';
import { randomUuid, timeOrderedUuid, type World } from '../core/world.ts';

type ParseResult = { ok: true; mutation: Mutation } | Refused;

export function parseMutation(name: unknown, rawArgs: unknown, world: World): ParseResult {
  if (!isMutationName(name))
    return validationRefusal([{ path: '/name', message: `must be one of ${mutationNames.join(', ')}` }]);
  const args = argsChecks[name](rawArgs);
  return args.ok ? completeMutation(name, args.value as MutationArgs[MutationName], world) : args;
}

/**
 * Completes valid args: turns `map_id` into lower case, and makes a missing map id or recording session. Refuses a
 * recording with a digest that does not match the steps.
 */
export function completeMutation<Name extends MutationName>(
  name: Name,
  args: MutationArgs[Name],
  world: World,
): ParseResult {
  const { digest, ...rest } = args as ArgsToComplete;
  if (digest !== undefined && digest !== sha256(canonicalJson(rest.steps))) {
    return validationRefusal([{ path: '/digest', message: 'is not the SHA-256 of the RFC 8785 form of steps' }]);
  }
  const complete: ArgsToComplete = { ...rest };
  if (rest.map_id !== undefined) complete.map_id = rest.map_id.toLowerCase();
  else if (makesMap(name)) complete.map_id = timeOrderedUuid(world);
  if (isRecordingUpload({ name })) complete.recording_session_id = rest.recording_session_id ?? randomUuid(world);
  return { ok: true, mutation: { name, args: complete } as unknown as Mutation };
}

/** The fields of any mutation's args that `completeMutation` reads or fills in. */
interface ArgsToComplete {
  map_id?: string;
  recording_session_id?: string;
  steps?: RecordingStep[];
  digest?: string;
}

/**
 * Only an invalid mutation with at most this many values gets a list of all its errors. A larger mutation gets its
 * first error, since a push may have thousands of such mutations.
 */
const allErrorsValuesMax = 100;

const argsChecks = Object.fromEntries(
  mutationNames.map((name) => [name, createValidator(mutationArgs[name], { allErrorsValuesMax })]),
) as Record<MutationName, Validator<unknown>>;

export const isMutationName = (name: unknown): name is MutationName => mutationNames.includes(name as MutationName);

/** If `map_id` is missing in such a mutation, the server makes the id of the new map. */
const makesMap = (name: MutationName): boolean => name === 'create_map' || name === 'record_new_map';
