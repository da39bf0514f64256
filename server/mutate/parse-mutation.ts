/** Parses a name and unchecked args into a valid and complete `Mutation`, or returns a refusal. */
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

type ParseResult = { ok: true; mutation: Mutation } | Refused;

export function parseMutation(name: unknown, rawArgs: unknown, world: World): ParseResult {
  if (!isMutationName(name)) return invalid([{ path: '/name', message: `must be one of ${mutationNames.join(', ')}` }]);
  const args = argsChecks[name](rawArgs);
  return args.ok ? completeMutation(name, args.value as MutationArgs[MutationName], world) : args;
}

/** Completes valid args: turns UUIDs into lower case and generates missing UUIDs. Checks that a digest fits the steps. */
export function completeMutation<Name extends MutationName>(
  name: Name,
  args: MutationArgs[Name],
  world: World,
): ParseResult {
  const { digest, ...rest } = args as ArgsToComplete;
  if (digest !== undefined && digest !== sha256(canonicalJson(rest.steps))) {
    return invalid([{ path: '/digest', message: 'is not the SHA-256 of the RFC 8785 form of steps' }]);
  }
  const complete: ArgsToComplete = { ...rest };
  if (rest.map_id !== undefined) complete.map_id = rest.map_id.toLowerCase();
  else if (makesMap[name]) complete.map_id = timedUuid(world);
  if (isRecording(name)) complete.recording_session_id = rest.recording_session_id ?? randomUuid(world);
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
 * A mutation with more values gets no complete list of its errors, since thousands of such lists would take too long.
 */
const explainedValuesMax = 100;

const argsChecks = Object.fromEntries(
  mutationNames.map((name) => [name, validator(mutationArgs[name], { explainedValuesMax })]),
) as Record<MutationName, Validator<unknown>>;

export const isMutationName = (name: unknown): name is MutationName => mutationNames.includes(name as MutationName);

const makesMap: Record<MutationName, boolean> = {
  create_map: true,
  update_map: false,
  delete_map: false,
  restore_map: false,
  add_stage: false,
  update_stage: false,
  delete_stage: false,
  reorder_stages: false,
  upload_recording: false,
  record_new_map: true,
  update_run: false,
  correct_run: false,
  delete_run: false,
};

const recordings: Record<MutationName, boolean> = {
  create_map: false,
  update_map: false,
  delete_map: false,
  restore_map: false,
  add_stage: false,
  update_stage: false,
  delete_stage: false,
  reorder_stages: false,
  upload_recording: true,
  record_new_map: true,
  update_run: false,
  correct_run: false,
  delete_run: false,
};

export const isRecording = (name: MutationName): boolean => recordings[name];
