/** Reads files of steps as an import does, for tests. */
import * as validators from '../../client/generated/mutation-validators.js';
import { sha256 } from '../../client/core/hash.ts';
import type { ImportChecks } from '../../shared/import/file-recording.ts';
import type { AccountMap } from '../../shared/import/find-map.ts';
import type { YieldIfDue } from '../../shared/import/time-slices.ts';
import { placeRecordings } from '../../shared/import/place-recordings.ts';
import { planImport, type EarlierRecording, type ImportPlan } from '../../shared/import/plan-import.ts';
import { readSteps, type StepsFile } from '../../shared/import/read-steps.ts';
import { fieldErrors } from '../../shared/schema/field-errors.ts';

const errorsOf = (isValid: typeof validators.recording) => (value: unknown) =>
  isValid(value) ? [] : fieldErrors(isValid.errors ?? []);
const checks: ImportChecks = {
  step: errorsOf(validators.recording_step),
  recording: errorsOf(validators.recording),
  newMap: errorsOf(validators.create_map),
};
const yieldIfDue = () => undefined;

export const readFile = (file: string | Uint8Array, yieldOfTest: YieldIfDue = yieldIfDue): Promise<StepsFile> =>
  readSteps(file, { checks, yieldIfDue: yieldOfTest });

/** Each error as one text: line, column, message. */
export async function errorsIn(file: string | Uint8Array): Promise<string[]> {
  const { errors } = await readFile(file);
  return errors.first().map(({ line, column, message }) => `${line} ${column ?? '-'}: ${message}`);
}

export const accountMap = (fields: Partial<AccountMap>): AccountMap => ({
  id: '018f9e4a-2b6c-7d31-8a55-3c1f0e9d7b42',
  name: 'Assembly',
  archived: false,
  deleted: false,
  stage_count: 0,
  ...fields,
});

interface Account {
  maps?: AccountMap[];
  moreMapsMax?: number;
  createMaps?: boolean;
  earlier?: Record<string, EarlierRecording>;
}

export async function planOf(
  file: string | Uint8Array,
  { maps = [accountMap({})], moreMapsMax, createMaps = false, earlier = {} }: Account = {},
): Promise<ImportPlan> {
  const read = await readFile(file);
  const placed = await placeRecordings(read, {
    account: { maps, moreMapsMax },
    createMaps,
    checks,
    sha256,
    yieldIfDue,
  });
  return planImport(read, { placed, earlier: new Map(Object.entries(earlier)), dryRun: false, yieldIfDue });
}
