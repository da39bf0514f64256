/**
 * A device of the simulation: it does what a worker does, crashes at its fault points, and opens again with its stored
 * rows.
 */
import { randomUUID } from 'node:crypto';
import { take } from 'rxjs/operators';
import { expect } from 'vitest';
import { openGemba, type Gemba } from '../../client/client.ts';
import type { AnyRxStorage } from '../rx-storage.ts';
import { current, memoryStorage } from '../device/devices.ts';
import { noFaults, type Faults } from './faults.ts';

/** The recording under way, as far as its taps were acknowledged. */
export interface UnderWay {
  session: string;
  /** The stage names of the acknowledged taps. */
  taps: string[];
  /** A tap whose acknowledgement a crash lost: it may be stored or not. */
  unsureTap: string | undefined;
  /** A crash lost the acknowledgement of the finish. */
  unsureFinish: boolean;
}

export interface SimDeviceOptions {
  url: string;
  token: string;
  kind?: 'phone' | 'wearable';
}

export class SimDevice {
  underWay: UnderWay | undefined;
  /** Finished recordings that were acknowledged, or found finished after a restart: session → stage names. */
  readonly finished = new Map<string, string[]>();
  readonly createdMaps = new Set<string>();
  readonly tornViews: string[] = [];
  crashes = 0;
  readonly options: SimDeviceOptions;
  readonly #name = `device-${randomUUID()}`;
  readonly #storage: AnyRxStorage = memoryStorage();
  #faults: Faults = noFaults();
  #gemba: Gemba | undefined;

  constructor(options: SimDeviceOptions) {
    this.options = options;
  }

  get isOpen(): boolean {
    return this.#gemba !== undefined && !this.#faults.dead;
  }

  /** Opens the device with the faults of this life; it may crash while opening. */
  async open(faults: Faults): Promise<void> {
    await this.close();
    this.#faults = faults;
    this.#gemba = await this.#survive(() =>
      openGemba({
        ...this.options,
        name: this.#name,
        storage: faults.storage(this.#storage),
        fetch: faults.fetch,
        // Lives with and without effects of pushes take turns on one database.
        pushEffects: this.crashes % 2 === 0,
        packedPages: this.crashes % 3 !== 0,
        // No timer fires: the simulation decides when to sync.
        clock: { schedule: () => () => {} },
      }),
    );
    if (!this.#gemba) return;
    await this.#expectAcknowledgedTaps(this.#gemba);
    if (this.options.kind !== 'wearable') watchForTornViews(this.#gemba, this.tornViews);
  }

  /** Does what a worker does; returns undefined if the device crashes in it. */
  async attempt<Result>(act: (gemba: Gemba) => Promise<Result>): Promise<Result | undefined> {
    const gemba = this.#gemba;
    return gemba && this.isOpen ? this.#survive(() => act(gemba)) : undefined;
  }

  async sync(): Promise<void> {
    await this.attempt((gemba) => gemba.sync());
  }

  async close(): Promise<void> {
    await this.#gemba?.close();
    this.#gemba = undefined;
  }

  async #survive<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!this.#faults.dead) throw error;
      this.crashes++;
      return undefined;
    }
  }

  /** Checks that every acknowledged tap is there after a restart, and at most the unacknowledged one besides. */
  async #expectAcknowledgedTaps(gemba: Gemba): Promise<void> {
    const recording = await current(gemba.recording$);
    if (!this.underWay) {
      if (recording)
        this.underWay = {
          session: recording.recording_session_id,
          taps: [],
          unsureTap: undefined,
          unsureFinish: false,
        };
      return;
    }
    const { session, taps, unsureTap, unsureFinish } = this.underWay;
    if (!recording) {
      expect(unsureFinish, `the recording ${session} is gone, and was not being finished`).toBe(true);
      this.finished.set(session, taps);
      this.underWay = undefined;
      return;
    }
    const names = recording.steps.map(({ stage_name }) => stage_name);
    expect([taps, ...(unsureTap === undefined ? [] : [[...taps, unsureTap]])]).toContainEqual(names);
    this.underWay = { session, taps: names, unsureTap: undefined, unsureFinish: false };
  }
}

/** Notes views that are torn: a recording adds a run and changes its map at once, so no view may show only one of both. */
function watchForTornViews(gemba: Gemba, torn: string[]): void {
  for (const maps$ of [gemba.maps$, gemba.deletedMaps$]) {
    maps$.subscribe((maps) => {
      for (const { id, run_count } of maps) {
        gemba
          .runs$(id)
          .pipe(take(1))
          .subscribe((runs) => {
            if (runs.length !== run_count) torn.push(`map ${id} says ${run_count} runs and shows ${runs.length}`);
          });
      }
    });
  }
}
