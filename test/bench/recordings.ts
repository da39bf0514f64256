/** Recordings as a device pushes them: with its own ids, one map, and six or more steps of realistic size. */
import { randomInt, randomUUID } from 'node:crypto';
import type { PushedMutation } from '../../shared/protocol/push.ts';
import type { RecordingBody } from '../../shared/schema/recording.ts';
import { deviceMadeIdMin } from '../../shared/schema/limits.ts';

const stageNames = [
  'Confirm receipt',
  'Check receipt',
  'Determine need',
  'Print and send',
  'Adjust',
  'File',
  'Fetch the pallet',
  'Wait for the fork lift',
  'Unpack',
  'Count the parts',
  'Put away',
  'Sign off',
];

/** A well-formed push request. */
export interface RecordingBatch {
  client_id: string;
  acked_seq: number;
  mutations: PushedMutation[];
}

/** A device that numbers its batches one after another. */
export class BenchDevice {
  readonly client_id = randomUUID();
  #mapId = randomUUID();
  #stageId = randomDeviceMadeId();
  readonly #stepCount: number;
  #seq = 0;

  /** A recording has at most twelve steps. */
  constructor({ stepCount = 6 }: { stepCount?: number } = {}) {
    this.#stepCount = stepCount;
  }

  /** Makes the map that the following recordings of this device belong to, with one stage. */
  mapBatch(): RecordingBatch {
    this.#mapId = randomUUID();
    this.#stageId = randomDeviceMadeId();
    return this.#request([
      { name: 'create_map', args: { map_id: this.#mapId, name: 'Receipt phase' } },
      { name: 'add_stage', args: { map_id: this.#mapId, stage_id: this.#stageId, stage: 'Wait for papers' } },
    ]);
  }

  recordings(count: number): RecordingBatch {
    return this.#request(Array.from({ length: count }, () => ({ name: 'upload_recording', args: this.#recording() })));
  }

  /** Moves one stage of the map and changes its times. */
  edits(count: number): RecordingBatch {
    const edit = (_: unknown, index: number) => ({
      name: 'update_stage',
      args: { map_id: this.#mapId, stage_id: this.#stageId, order: 1 + (index % 7), cycle_time_hrs: index + 1 },
    });
    return this.#request(Array.from({ length: count }, edit));
  }

  /** Each push acknowledges all answers before it. */
  #request(mutations: { name: string; args: object }[]): RecordingBatch {
    const acked_seq = this.#seq;
    const recorded_at = new Date().toISOString();
    const numbered: PushedMutation[] = mutations.map((mutation) => ({ seq: ++this.#seq, ...mutation, recorded_at }));
    return { client_id: this.client_id, acked_seq, mutations: numbered };
  }

  /** Makes recordings without ids of a device's making. */
  recordingBodies(count: number): RecordingBody[] {
    return Array.from({ length: count }, () => this.#recordingBody());
  }

  #recording(): object {
    const body = this.#recordingBody();
    // A device's ids of one recording follow each other from a random first one.
    const firstStageId = randomDeviceMadeId();
    const stage_ids = body.steps.map((_, index) => firstStageId + index);
    return { map_id: this.#mapId, ...body, run_id: randomDeviceMadeId(), stage_ids };
  }

  #recordingBody() {
    const steps = stageNames.slice(0, this.#stepCount).map((stage_name, index) => ({
      stage_name,
      order: index + 1,
      duration_secs: randomInt(1, 10_000_000) / 1000,
      work_type: index % 2 === 0 ? ('valuable' as const) : ('incidental' as const),
      notes: `Resource${randomInt(10, 100)}`,
    }));
    return { recording_session_id: randomUUID(), started_at: '2026-04-01T09:30:00.000Z', steps };
  }
}

const randomDeviceMadeId = (): number => randomInt(deviceMadeIdMin, 2 ** 47);
