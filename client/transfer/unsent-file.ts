/** The file of a device's unsent mutations: its format, its checksum, and the mark that identifies each mutation. */

import { canonicalJson } from '../../shared/protocol/canonical-json.ts';
import type { Problem } from '../../shared/protocol/problem.ts';
import type { MutationName } from '../../shared/schema/mutation.ts';
import { isInstant } from '../../shared/schema/instant.ts';
import { GembaError } from '../core/errors.ts';
import { originOf } from '../storage/rows.ts';
import { sha256 } from '../core/hash.ts';
import { isUuid } from '../core/ids.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';
import type { TapBody, MutationBody } from '../storage/rows.ts';
import { isMutationName } from '../core/validate.ts';
import { isTap } from './is-tap.ts';

interface UnsentContent {
  format: 'gemba-unsent';
  version: 1 | typeof formatVersion;
  /** The account that owns the mutations; null if the exporting device had never reached the server. */
  account_id: string | null;
  exported_at: string;
  /** The mutations in the order in which they were made. */
  mutations: UnsentMutation[];
  /** The taps of the recording under way; empty if there is none. */
  draft: TapBody[];
}

export interface UnsentMutation extends Pick<
  MutationBody,
  'client_id' | 'seq' | 'origin' | 'version' | 'args' | 'recorded_at'
> {
  name: MutationName;
  is_void?: boolean;
  /** The reason of the refusal; null if the mutation is not settled. */
  error: Problem | null;
}

export type UnsentFile = UnsentContent & { checksum: string };

const formatVersion = 2;

/**
 * The kinds of taps that a file of version 1 can have. A file with only these kinds gets version 1, so that an older
 * app can read it.
 */
const tapKindsOfVersion1: ReadonlySet<TapBody['kind']> = new Set([
  'started',
  'stepped',
  'noted',
  'undone',
  'discarded',
  'restored',
  'finished',
]);

export const fileVersionFor = (draft: readonly TapBody[]): UnsentContent['version'] =>
  draft.every(({ kind }) => tapKindsOfVersion1.has(kind)) ? 1 : formatVersion;

export async function withChecksum(work: UnsentContent): Promise<UnsentFile> {
  return { ...work, checksum: await sha256(canonicalJson(work)) };
}

/**
 * Reads an exported file, given as JSON text or as the parsed value; throws `unsent_file_invalid` or
 * `unsent_file_too_new`.
 */
export async function parseUnsentFile(content: unknown): Promise<UnsentContent> {
  const file = typeof content === 'string' ? parseJson(content) : content;
  if (!isObject(file) || file['format'] !== 'gemba-unsent') throw invalidFileError('It is not a file of unsent work.');
  if (typeof file['version'] !== 'number') throw invalidFileError('It has no version.');
  if (file['version'] > formatVersion) throw tooNewError();
  const { checksum, ...work } = file;
  if (checksum !== (await sha256(canonicalTextOf(work))))
    throw invalidFileError('It is damaged: its checksum does not fit.');
  if (!isUnsentContent(work)) throw invalidFileError('Something in it is not as it should be.');
  return work;
}

/**
 * Computes a mutation's transfer mark: a hash over its content and its original sequence number, equal on all devices
 * and after renumbering. A replaced mutation has no content; its mark is a hash over its present sequence number.
 */
export function transferMarkOf({
  name,
  args,
  recorded_at,
  is_void,
  ...made
}: Omit<UnsentMutation, 'error'>): Promise<string> {
  const { client_id, seq } = made;
  return sha256(canonicalJson(is_void ? [client_id, seq] : [name, args, recorded_at, originOf(made)]));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidFileError('It is no JSON.');
  }
}

/**
 * Throws `unsent_file_invalid` for a value without canonical JSON, such as one with a cycle or with too deep nesting.
 */
function canonicalTextOf(work: object): string {
  try {
    return canonicalJson(work);
  } catch {
    throw invalidFileError('It is no JSON.');
  }
}

export function tooNewError(): GembaError {
  return new GembaError({ code: 'unsent_file_too_new', detail: 'The file is of a newer app: update this one first.' });
}

function invalidFileError(why: string): GembaError {
  return new GembaError({
    code: 'unsent_file_invalid',
    detail: `The file cannot be imported. ${why} Nothing was changed.`,
  });
}

function isUnsentContent(work: JsonObject): work is JsonObject & UnsentContent {
  const { account_id, mutations, draft } = work;
  const isKnownAccount = account_id === null || typeof account_id === 'string';
  return isKnownAccount && isDraft(draft) && Array.isArray(mutations) && mutations.every(isMutation);
}

function isDraft(draft: unknown): boolean {
  if (!Array.isArray(draft) || !draft.every(isTap)) return false;
  return draft.every(({ kind }, index) => (kind === 'started') === (index === 0));
}

function isMutation(mutation: unknown): boolean {
  if (!isObject(mutation)) return false;
  const { client_id, seq, origin, name, args, recorded_at, error } = mutation;
  const isMade = origin === undefined || typeof origin === 'string';
  const isNumbered = isMade && isUuid(client_id) && Number.isSafeInteger(seq);
  const isNamed = typeof name === 'string' && isMutationName(name) && isObject(args);
  const isDated = typeof recorded_at === 'string' && isInstant(recorded_at);
  return isNumbered && isNamed && isDated && (error === null || (isProblem(error) && areReadableArgs(args)));
}

const isProblem = (error: unknown): boolean =>
  isObject(error) &&
  ['code', 'title', 'detail'].every((member) => typeof error[member] === 'string') &&
  Number.isSafeInteger(error['status']);

/**
 * Checks only the args that the app itself reads. Other args may be invalid, since the server may have refused them.
 */
function areReadableArgs(args: JsonObject): boolean {
  const { map_id, recording_session_id, started_at, stage_id, run_id, stage_ids = [], steps = [] } = args;
  const isTextOrNone = (value: unknown) => value === undefined || typeof value === 'string';
  const isIdOrNone = (value: unknown) => value === undefined || Number.isSafeInteger(value);
  return (
    [map_id, recording_session_id, started_at].every(isTextOrNone) &&
    [stage_id, run_id].every(isIdOrNone) &&
    Array.isArray(stage_ids) &&
    stage_ids.every(Number.isSafeInteger) &&
    Array.isArray(steps) &&
    steps.every(isStep)
  );
}

const isStep = (step: unknown): boolean =>
  isObject(step) && typeof step['stage_name'] === 'string' && ['string', 'undefined'].includes(typeof step['notes']);
