/** A device of a fleet: its disk may be copied or restored, and it remembers what people did on it. */
import { firstValueFrom, type Observable, Subscription } from 'rxjs';
import { filter } from 'rxjs/operators';
import { openGemba, runScope, type Gemba, type Recording, type RunScopeBounds } from '../../../client/client.ts';
import { manualTimers, type ManualTimers } from '../../device/manual-timers.ts';
import { Faults } from '../faults.ts';
import { Disk, type DiskImage } from './disk.ts';
import type { FaultyNetwork } from './faulty-network.ts';
import type { ServerLog } from './server-log.ts';
import type { FleetTime } from './time.ts';
import { noWork, toUnderWay, type Backup, type KnownWork, type UnderWay } from './known-work.ts';
import { crashingFetch, crashingJournal } from './crash-points.ts';
import { recordingKey, type Step, type Work } from './works.ts';

/** The address under which the devices reach the simulated server. */
export const fleetUrl = 'http://gemba.test';

interface FleetDeviceOptions {
  name: string;
  kind: 'phone' | 'wearable';
  network: FaultyNetwork;
  time: FleetTime;
  image: DiskImage;
  log: ServerLog;
  scopes: readonly RunScopeBounds[];
  onFailure: (kind: 'custody false' | 'lost taps', detail: string) => void;
}

interface Life {
  gemba: Gemba;
  faults: Faults;
  timers: ManualTimers;
  watching: Subscription;
}

export class FleetDevice {
  readonly name: string;
  readonly network: FaultyNetwork;
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
    const timers = manualTimers();
    const { time, network, kind, scopes } = this.#options;
    const scope = scopes[this.#lives % scopes.length];
    const { storage, mirror } = this.#disk;
    const options = {
      name: 'tablet',
      url: fleetUrl,
      kind,
      ...(scope === undefined ? {} : { scope: runScope(scope) }),
      ...(this.token === undefined ? {} : { token: this.token }),
      storage: faults.storage(storage),
      ...(mirror ? { mirror: crashingJournal(mirror, faults) } : {}),
      fetch: crashingFetch(network, faults),
      // Lives with and without effects of pushes take turns on one database.
      pushEffects: this.#lives % 2 === 0,
      packedPages: this.#lives % 3 !== 0,
      clock: { wallMs: time.now, monotonicMs: time.now, bootId: `${this.name}${++this.#lives}`, ...timers.clock },
    };
    const gemba = await this.#survive(faults, () => openGemba(options));
    if (!gemba) return this.#endLife();
    this.#life = { gemba, faults, timers, watching: new Subscription() };
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
    if (this.network.holds) return;
    const atRest = ({ status$ }: Gemba) => firstValueFrom(status$.pipe(filter(({ phase }) => phase !== 'syncing')));
    await this.attempt((gemba) => Promise.race([this.network.untilHeld(), atRest(gemba).then(() => {})]));
  }

  async sync(): Promise<void> {
    if (this.network.holds) return;
    await this.attempt((gemba) => Promise.race([gemba.sync(), this.network.untilHeld()]));
    await this.untilIdle();
  }

  /** Fires the timers that are due, except those of a write under way, since the simulated disk is never slow. */
  async passTime(ms: number): Promise<void> {
    await this.untilIdle();
    this.#life?.timers.pass(ms);
    await this.untilIdle();
  }

  async close(): Promise<void> {
    this.network.cut();
    await this.attempt((gemba) => gemba.close());
    this.#leave();
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
    const { session, steps } = identity;
    const { log, onFailure } = this.#options;
    const watch = this.#life.gemba.custody$(session).subscribe((custody) => {
      if (custody !== 'server' || log.recorded.has(recordingKey(session, steps))) return;
      onFailure('custody false', `${this.name} says that the server has the recording ${stageNames(steps)}`);
    });
    this.#life.watching.add(watch);
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
      life.watching.unsubscribe();
      life.gemba.close().catch(() => {});
    }
    this.network.cut();
    this.#disk = new Disk(this.#disk.image);
  }
}

const stageNames = (steps: readonly Step[]): string => steps.map(({ stage_name }) => stage_name).join(' ');
