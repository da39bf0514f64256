/** A device of a fleet: its disk may be copied or restored, and it remembers what people did on it. */
import { firstValueFrom, type Observable } from 'rxjs';
import { filter } from 'rxjs/operators';
import type { Gemba, Recording } from '../../../client/client.ts';
import { DeviceClock } from '../platform/device/device-clock.ts';
import { Disk, type StorageFault } from '../platform/device/disk.ts';
import type { FaultyNetwork } from '../platform/faulty-network.ts';
import { fewTurns, turnsUntil } from '../platform/turns.ts';
import type { FleetDeviceOptions } from './device-options.ts';
import { DeviceTabs } from './device-tabs.ts';
import { noWork, toUnderWay, type Backup, type KnownWork, type UnderWay } from './known-work.ts';
import type { Tab } from './tab.ts';
import { stageNames, type Work } from './works.ts';

export class FleetDevice {
  readonly name: string;
  readonly network: FaultyNetwork;
  readonly clock: DeviceClock;
  readonly tabs: DeviceTabs;
  memory: KnownWork = noWork;
  /** An API key; undefined while the device uses the token of its pairing. */
  token: string | undefined;
  crashes = 0;
  readonly #options: FleetDeviceOptions;
  #disk: Disk;

  constructor(options: FleetDeviceOptions) {
    this.#options = options;
    this.name = options.name;
    this.network = options.network;
    this.clock = new DeviceClock(options.time);
    this.#disk = new Disk(options.image);
    this.tabs = new DeviceTabs({
      ...options,
      clock: this.clock,
      memory: () => this.memory,
      onShown: (session) => (this.memory = { ...this.memory, shown: new Set([...this.memory.shown, session]) }),
      onDeath: () => this.#countCrash(),
    });
  }

  get isOpen(): boolean {
    return this.tabs.current !== undefined;
  }

  get works(): readonly Work[] {
    return [...this.memory.made, ...this.memory.imported];
  }

  /** Its recordings that it says are safe on the server: its second copy has them no more. */
  async worksOnServer(): Promise<Work[]> {
    const found: Work[] = [];
    for (const work of this.works) {
      const { identity } = work;
      if (identity.kind !== 'recording') continue;
      if ((await this.show((gemba) => gemba.custody$(identity.session))) === 'server') found.push(work);
    }
    return found;
  }

  /** Opens the device with its stored rows. It crashes at the fault point numbered `dieAt`, if it gets there. */
  async open(dieAt?: number): Promise<void> {
    // A background write may have crashed the device already.
    if (this.tabs.size > 0) this.#endLife();
    await this.openTab(dieAt);
  }

  /** Opens a tab, or one more. */
  async openTab(dieAt?: number): Promise<void> {
    const tab = await this.tabs.open({ disk: this.#disk, token: this.token, dieAt });
    if (!tab) {
      if (!this.isOpen) this.#endLife();
      return;
    }
    await this.attempt((gemba) => this.#expectAcknowledgedTaps(gemba));
    for (const work of this.works) tab.oracle?.watchWork(work);
  }

  /** Does what a person does; returns undefined if the device is dead or crashes in it. */
  async attempt<Result>(act: (gemba: Gemba) => Promise<Result>): Promise<Result | undefined> {
    const tab = this.tabs.current;
    if (!tab) return undefined;
    const result = await this.tabs.run(tab, () => act(tab.gemba));
    if (tab.faults.dead && !this.isOpen && this.tabs.size > 0) this.#endLife();
    return result;
  }

  show<Value>(of: (gemba: Gemba) => Observable<Value>): Promise<Value | undefined> {
    return this.attempt((gemba) => firstValueFrom(of(gemba)));
  }

  /** Resolves when the sync is idle or waits for a held request. */
  async untilIdle(): Promise<void> {
    const tab = this.tabs.syncing;
    if (!tab || this.network.holds || this.#disk.fault === 'hanging') return;
    const atRest = firstValueFrom(tab.atRest$.pipe(filter((is) => is)));
    const idle = Promise.race([this.network.untilHeld(), atRest, tab.faults.died]);
    await (this.tabs.needsTime ? turnsUntil(idle, this.#options.isServerBusy) : idle);
    if (tab.faults.dead && !this.isOpen && this.tabs.size > 0) this.#endLife();
  }

  async sync(): Promise<void> {
    if (this.network.holds) return;
    await this.attempt((gemba) => Promise.race([gemba.sync(), this.network.untilHeld()]));
    await this.untilIdle();
  }

  async close(): Promise<void> {
    this.network.cut();
    for (const tab of this.tabs.all) await this.closeTab(tab);
    this.#leave();
  }

  async closeTab(tab: Tab): Promise<void> {
    if (tab.faults.dead) return;
    tab.isFrozen = false;
    await this.tabs.run(tab, () => tab.gemba.close());
    // A request under way ends once it notices.
    await fewTurns();
    const left = tab.faults.dead ? [] : this.tabs.leftBy(tab);
    if (left.length > 0) this.#options.onFailure('left behind', `${this.name} is closed and ${left.join(', ')}`);
    this.tabs.end(tab);
  }

  /** The fault of the storage in this life; undefined ends it. */
  set storageFault(fault: StorageFault | undefined) {
    this.#disk.fault = fault;
  }

  /** Cancels the crash that was drawn for this life. */
  cancelCrash(): void {
    this.tabs.cancelCrashes();
  }

  /** Crashes the device at once. */
  kill(): void {
    if (this.tabs.size > 0) this.#endLife();
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

  watchCustody(work: Work): void {
    for (const tab of this.tabs.all) if (!tab.faults.dead) tab.oracle?.watchWork(work);
  }

  /** Checks that every acknowledged tap is there after a restart, or in another tab. */
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

  #countCrash(): void {
    this.crashes++;
    const { underWay } = this;
    if (underWay) this.underWay = { ...underWay, isUnsure: true };
  }

  /** The next life starts from the disk as it was at the crash. */
  #endLife(): void {
    this.#countCrash();
    this.#leave();
  }

  #leave(): void {
    this.tabs.endAll();
    this.network.cut();
    this.#disk = new Disk(this.#disk.image);
  }
}
