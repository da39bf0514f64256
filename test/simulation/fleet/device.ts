/** A device of a fleet: its disk may be copied or restored, and it remembers what people did on it. */
import { BehaviorSubject, firstValueFrom, type Observable, Subscription } from 'rxjs';
import { filter } from 'rxjs/operators';
import { openGemba, type Gemba, type Recording } from '../../../client/client.ts';
import { Faults } from '../faults.ts';
import { randomOf } from '../../random.ts';
import { watchCustody, watchDevice } from '../checks/watch-device.ts';
import { DeviceClock } from '../platform/device-clock.ts';
import { Disk, type StorageFault } from '../platform/disk.ts';
import { engineOptions } from '../platform/engine-options.ts';
import type { FaultyNetwork } from '../platform/faulty-network.ts';
import { fewTurns } from '../platform/turns.ts';
import type { TimerGroup } from '../platform/virtual-time.ts';
import type { FleetDeviceOptions } from './device-options.ts';
import { noWork, toUnderWay, type Backup, type KnownWork, type UnderWay } from './known-work.ts';
import { recordingKey, stageNames, type Work } from './works.ts';

interface Life {
  gemba: Gemba;
  faults: Faults;
  timers: TimerGroup;
  watching: Subscription;
  /** False while the device syncs. */
  atRest$: BehaviorSubject<boolean>;
}

export class FleetDevice {
  readonly name: string;
  readonly network: FaultyNetwork;
  readonly clock: DeviceClock;
  memory: KnownWork = noWork;
  /** An API key; undefined while the device uses the token of its pairing. */
  token: string | undefined;
  crashes = 0;
  readonly #options: FleetDeviceOptions;
  #disk: Disk;
  #life: Life | undefined;
  #lives = 0;
  #dieAt: number | undefined;

  constructor(options: FleetDeviceOptions) {
    this.#options = options;
    this.name = options.name;
    this.network = options.network;
    this.clock = new DeviceClock(options.time);
    this.#disk = new Disk(options.image);
  }

  get isOpen(): boolean {
    return this.#life !== undefined && !this.#life.faults.dead;
  }

  get works(): readonly Work[] {
    return [...this.memory.made, ...this.memory.imported];
  }

  /** Opens the device with its stored rows. It crashes at the fault point numbered `dieAt`, if it gets there. */
  async open(dieAt?: number): Promise<void> {
    // A background write may have crashed the device already.
    if (this.#life) this.#endLife();
    this.#dieAt = dieAt;
    const faults = new Faults((_point, count) => count === this.#dieAt);
    const { time, network, kind, scopes, seed } = this.#options;
    const timers = time.timers();
    const scope = scopes[this.#lives % scopes.length];
    const life = ++this.#lives;
    const options = engineOptions({
      kind,
      life,
      bootId: `${this.name}${life}`,
      scope,
      token: this.token,
      disk: this.#disk,
      network,
      faults,
      clock: this.clock,
      timers,
      random: randomOf(seed + life),
    });
    const gemba = await this.#survive(faults, () => openGemba(options));
    if (!gemba) {
      timers.end();
      return this.#endLife();
    }
    const atRest$ = new BehaviorSubject(true);
    this.#life = { gemba, faults, timers, watching: new Subscription(), atRest$ };
    this.#life.watching.add(
      watchDevice(gemba, {
        holdsAllRuns: kind === 'phone' && scopes.length === 0,
        onStatus: (status) => (this.#options.onStatus(status), atRest$.next(status.phase !== 'syncing')),
        onTorn: (detail) => this.#options.onFailure('torn view', `${this.name}: ${detail}`),
      }),
    );
    await this.attempt(() => this.#expectAcknowledgedTaps(gemba));
    for (const work of this.works) this.watchCustody(work);
  }

  /** Does what a person does; returns undefined if the device is dead or crashes in it. */
  async attempt<Result>(act: (gemba: Gemba) => Promise<Result>): Promise<Result | undefined> {
    const life = this.#life;
    if (!life || life.faults.dead) return undefined;
    const result = await this.#survive(life.faults, () => act(life.gemba));
    if (life.faults.dead && this.#life === life) this.#endLife();
    return result;
  }

  show<Value>(of: (gemba: Gemba) => Observable<Value>): Promise<Value | undefined> {
    return this.attempt((gemba) => firstValueFrom(of(gemba)));
  }

  /** Resolves when the sync is idle or waits for a held request. */
  async untilIdle(): Promise<void> {
    const life = this.#life;
    if (!life || life.atRest$.value || this.network.holds || this.#disk.fault === 'hanging') return;
    const atRest = firstValueFrom(life.atRest$.pipe(filter((is) => is)));
    await this.attempt(() => Promise.race([this.network.untilHeld(), atRest]));
  }

  async sync(): Promise<void> {
    if (this.network.holds) return;
    await this.attempt((gemba) => Promise.race([gemba.sync(), this.network.untilHeld()]));
    await this.untilIdle();
  }

  async close(): Promise<void> {
    this.network.cut();
    const life = this.#life;
    await this.attempt((gemba) => gemba.close());
    // A request under way ends once it notices.
    await fewTurns();
    if (life && !life.faults.dead && life.timers.size > 0)
      this.#options.onFailure('left behind', `${this.name} is closed and has ${life.timers.size} timers`);
    this.#leave();
  }

  /** The fault of the storage in this life; undefined ends it. */
  set storageFault(fault: StorageFault | undefined) {
    this.#disk.fault = fault;
  }

  /** Cancels the crash that was drawn for this life. */
  cancelCrash(): void {
    this.#dieAt = undefined;
  }

  /** Crashes the device at once. */
  kill(): void {
    if (this.#life) this.#endLife();
  }

  get backup(): Backup {
    return { image: this.#disk.image, memory: this.memory };
  }

  /** Continues with the disk and the memory of another device, or of an earlier state. */
  restore({ image, memory }: Backup): void {
    this.#leave();
    this.#disk = new Disk(image);
    this.memory = memory;
  }

  made(work: Work): void {
    this.memory = { ...this.memory, made: [...this.memory.made, work] };
    this.watchCustody(work);
  }

  addImported(works: readonly Work[]): void {
    const known = new Set(this.works);
    const taken = works.filter((work) => !known.has(work));
    this.memory = { ...this.memory, imported: [...this.memory.imported, ...taken] };
    for (const work of taken) this.watchCustody(work);
  }

  set underWay(underWay: UnderWay | undefined) {
    this.memory = { ...this.memory, underWay };
  }

  get underWay(): UnderWay | undefined {
    return this.memory.underWay;
  }

  /** The recording under way on the device; the worker goes on with it. */
  async recording(): Promise<Recording | undefined> {
    const shown = (await this.show(({ recording$ }) => recording$)) ?? undefined;
    if (shown?.recording_session_id !== this.underWay?.session) this.underWay = shown && toUnderWay(shown);
    return shown;
  }

  /** Takes over taps that an import added to the recording under way. */
  async adoptRecording(): Promise<void> {
    const shown = await this.recording();
    this.underWay = shown && toUnderWay(shown);
  }

  watchCustody({ identity }: Work): void {
    if (identity.kind !== 'recording' || !this.#life) return;
    const { log, onFailure } = this.#options;
    this.#life.watching.add(
      watchCustody(this.#life.gemba, identity, (steps) => {
        if (log.recorded.has(recordingKey(identity.session, identity.steps))) return;
        onFailure('custody false', `${this.name} says that the server has the recording ${steps}`);
      }),
    );
  }

  /** Checks that every acknowledged tap is there after a restart. */
  async #expectAcknowledgedTaps(gemba: Gemba): Promise<void> {
    const recording = await firstValueFrom(gemba.recording$);
    const { underWay } = this;
    if (underWay && recording?.recording_session_id === underWay.session) {
      const shown = toUnderWay(recording);
      if (!underWay.isUnsure && stageNames(shown.steps) !== stageNames(underWay.steps)) {
        this.#options.onFailure('lost taps', `${this.name} shows ${stageNames(shown.steps)}`);
      }
    }
    this.underWay = recording ? toUnderWay(recording) : undefined;
  }

  async #survive<Result>(faults: Faults, work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await Promise.race([work(), faults.died.then(() => undefined)]);
    } catch (error) {
      if (!faults.dead) throw error;
      return undefined;
    }
  }

  /** The next life starts from the disk as it was at the crash. */
  #endLife(): void {
    this.crashes++;
    const { underWay } = this;
    if (underWay) this.underWay = { ...underWay, isUnsure: true };
    this.#leave();
  }

  #leave(): void {
    const life = this.#life;
    this.#life = undefined;
    if (life) {
      life.faults.dead = true;
      life.timers.end();
      life.watching.unsubscribe();
      life.atRest$.next(true);
      life.gemba.close().catch(() => {});
    }
    this.network.cut();
    this.#disk = new Disk(this.#disk.image);
  }
}
