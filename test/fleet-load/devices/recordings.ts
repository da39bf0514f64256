/** The recordings of the load. Each follows from its device and its number, so that it need not be kept to be checked. */
import { randomUUID } from 'node:crypto';
import { canonicalJson } from '../../../shared/protocol/canonical-json.ts';
import { chainDigitCount, digestText, nextChainInput } from '../../../shared/protocol/chain.ts';
import { deviceMadeIdMin } from '../../../shared/schema/limits.ts';
import { sha256 } from '../../../server/core/hash.ts';

export interface LoadStep {
  stage_name: string;
  order: number;
  duration_secs: number;
  work_type: 'valuable' | 'incidental';
}

const stageNames = ['Fetch the pallet', 'Unpack', 'Check', 'Adjust', 'Put away', 'Sign off'];
/** Each device has a range of ids of its own, and scatters its recordings over it as random ids would be. */
const idsPerDevice = 2 ** 28;
const idsPerRecording = 8;
const scatter = 2_654_435_761;

/** Differs in each run, so that recordings of another run in the same database are noticed. */
export const newRunName = (): string => randomUUID().slice(0, 8);

/** The `recording_session_id` names the device and the number of the recording, from 1. */
export const sessionIdOf = (run: string, device: number, number: number): string => `${run}:${device}:${number}`;

export function parseSessionId(text: string): { run: string; device: number; number: number } | undefined {
  const [, run, device, number] = /^([^:]+):(\d+):(\d+)$/.exec(text) ?? [];
  return run === undefined ? undefined : { run, device: Number(device), number: Number(number) };
}

export function stepsOf(device: number, number: number): LoadStep[] {
  return stageNames.map((stage_name, index) => ({
    stage_name,
    order: index + 1,
    duration_secs: (1 + ((device * 7_919 + number * 104_729 + index * 1_299_709) % 900_000)) / 1000,
    work_type: index % 2 === 0 ? 'valuable' : 'incidental',
  }));
}

export interface NewRecording {
  run: string;
  device: number;
  number: number;
  mapId: string;
  recordedAt: string;
}

/** Returns the arguments of `upload_recording` as a device sends them. */
export function recordingArgs({ run, device, number, mapId, recordedAt }: NewRecording): object {
  const steps = stepsOf(device, number);
  const place = (number * scatter) % (idsPerDevice / idsPerRecording);
  const firstId = deviceMadeIdMin + device * idsPerDevice + place * idsPerRecording;
  return {
    map_id: mapId,
    recording_session_id: sessionIdOf(run, device, number),
    started_at: recordedAt,
    steps,
    run_id: firstId,
    stage_ids: steps.map((_, index) => firstId + 1 + index),
    digest: sha256(canonicalJson(steps)),
  };
}

/** Returns the chain after a mutation. */
export function chainAfter(chain: string, mutation: { name: string; args: object }): string {
  const digest = sha256(digestText(mutation)).slice(0, chainDigitCount);
  return sha256(nextChainInput(chain, digest)).slice(0, chainDigitCount);
}
