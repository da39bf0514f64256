/** The tabs of a device, which share its disk. A device without tabs has one, which is all of it. */
import { randomOf, pickOne, type Random } from '../../random.ts';
import { distinctUntilChanged } from 'rxjs/operators';
import type { MutationBody } from '../../../client/storage/rows.ts';
import { lineOf } from '../checks/status-words.ts';
import { TabOracle } from '../checks/tab-oracle.ts';
import { Browser } from '../platform/device/browser.ts';
import type { DeviceClock } from '../platform/device/device-clock.ts';
import type { Disk } from '../platform/device/disk.ts';
import { engineOptions } from '../platform/device/engine-options.ts';
import { fewTurns, turnsUntil } from '../platform/turns.ts';
import type { FleetDeviceOptions } from './device-options.ts';
import type { KnownWork } from './known-work.ts';
import { holdsAllRuns } from './setting.ts';
import { Tab } from './tab.ts';

interface DeviceTabsOptions extends Omit<FleetDeviceOptions, 'image'> {
  clock: DeviceClock;
  memory: () => KnownWork;
  onShown: (session: string) => void;
  /** Called when a tab died that was not the only one. */
  onDeath: () => void;
}

export type DeviceCounts = Record<
  'timers' | 'locks' | 'requests' | 'channels' | 'rows' | 'tombstones' | 'journalBytes' | 'listeners',
  number
>;

interface OpenTabOptions {
  disk: Disk;
  token: string | undefined;
  dieAt: number | undefined;
}

export class DeviceTabs {
  readonly #options: DeviceTabsOptions;
  /** Whether the tabs that open from now on are of an earlier version. */
  isOlder = false;
  #browser = new Browser();
  #tabs: Tab[] = [];
  #current: Tab | undefined;
  #lives = 0;
  #disk: Disk | undefined;

  constructor(options: DeviceTabsOptions) {
    this.#options = options;
  }

  /** The tab that people use. */
  get current(): Tab | undefined {
    const isUsable = (tab: Tab | undefined) => tab !== undefined && !tab.faults.dead && !tab.isFrozen;
    return isUsable(this.#current) ? this.#current : this.#tabs.find(isUsable);
  }

  get all(): readonly Tab[] {
    return this.#tabs;
  }

  get size(): number {
    return this.#tabs.length;
  }

  /** Whether work may wait for time to pass: for a lock of a frozen tab, or for the watchdog after a hang of the disk. */
  get needsTime(): boolean {
    return this.#disk?.hasHung === true || this.#tabs.some((tab) => tab.isFrozen);
  }

  /** The tab that syncs now. */
  get syncing(): Tab | undefined {
    const { leader } = this.#browser;
    const tab = this.#options.hasTabs ? this.#tabs.find((one) => one === leader) : this.#tabs[0];
    return tab && !tab.isFrozen && !tab.atRest$.value ? tab : undefined;
  }

  /** Resolves to undefined if the tab crashes while it opens. */
  async open({ disk, token, dieAt }: OpenTabOptions): Promise<Tab | undefined> {
    const { time, network, kind, scopes, seed, clock, name, hasTabs, hasPackedForms } = this.#options;
    const scope = scopes[this.#lives % scopes.length];
    const life = ++this.#lives;
    this.#disk = disk;
    const tab = new Tab({ timers: time.timers(), dieAt });
    this.#tabs.push(tab);
    void tab.faults.died.then(() => this.#onDeath(tab));
    const options = engineOptions({
      kind,
      life,
      isOlder: this.isOlder,
      hasPackedForms,
      bootId: `${name}${life}`,
      scope,
      token,
      disk,
      network,
      tab,
      browser: hasTabs ? this.#browser : undefined,
      clock,
      random: randomOf(seed + life),
    });
    const gemba = await this.run(tab, () => tab.open(options));
    if (!gemba) return undefined;
    this.#current = tab;
    this.#watch(tab);
    return tab;
  }

  /** Does something in a tab; resolves to undefined if the tab dies. */
  async run<Result>({ faults }: Tab, work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await Promise.race([this.#patiently(work()), faults.died.then(() => undefined)]);
    } catch (error) {
      if (!faults.dead) throw error;
      return undefined;
    }
  }

  /** Lets people go on in any tab that runs. */
  change(random: Random): void {
    const running = this.#tabs.filter((tab) => !tab.faults.dead && !tab.isFrozen);
    if (running.length > 1) this.#current = pickOne(random, running);
  }

  /** Lets people go on in this tab. */
  use(tab: Tab): void {
    this.#current = tab;
  }

  thaw(): void {
    for (const tab of this.#tabs) tab.isFrozen = false;
  }

  /** Ends one tab as a crash does. */
  kill(tab: Tab): void {
    this.#options.onDeath();
    this.end(tab);
  }

  cancelCrashes(): void {
    for (const tab of this.#tabs) Object.assign(tab, { dieAt: undefined, diesUntold: false });
  }

  /** Counts what the device keeps: timers, locks, channels, listeners, rows and bytes. */
  get counts(): DeviceCounts {
    const timers = this.#tabs.reduce((sum, tab) => sum + tab.timers.size, 0);
    const stored = this.#disk?.counts ?? { rows: 0, tombstones: 0, journalBytes: 0, listeners: 0 };
    return { timers, ...this.#browser.counts, ...stored };
  }

  get mutations(): MutationBody[] {
    return this.#disk?.mutations ?? [];
  }

  /** Lists what a closed tab left behind. */
  leftBy(tab: Tab): string[] {
    return [...(tab.timers.size > 0 ? [`has ${tab.timers.size} timers`] : []), ...this.#browser.leftBy(tab)];
  }

  end(tab: Tab): void {
    tab.end();
    this.#browser.free(tab);
    this.#tabs = this.#tabs.filter((one) => one !== tab);
    // A person turns to a tab that is frozen, which wakes it.
    if (!this.current) this.thaw();
  }

  endAll(): void {
    for (const tab of this.#tabs) tab.end();
    this.#tabs = [];
    this.#browser = new Browser();
  }

  #watch(tab: Tab): void {
    const { kind, scopes, name, onStatus, onFailure } = this.#options;
    const place = this.#tabs.indexOf(tab);
    const shown = place > 0 ? `${name}/${place + 1}` : name;
    const { gemba } = tab;
    tab.watching.add(
      gemba.status$.pipe(distinctUntilChanged((a, b) => lineOf(a) === lineOf(b))).subscribe((status) => {
        onStatus(status, shown);
        tab.atRest$.next(status.phase !== 'syncing');
      }),
    );
    tab.oracle = new TabOracle({
      ...this.#options,
      gemba,
      holdsAllRuns: holdsAllRuns({ kind, scopes }),
      isScoped: scopes.length > 0,
      outbox: () => this.mutations,
      onFailure: (kindOfFailure, detail) => onFailure(kindOfFailure, `${shown} ${detail}`),
    });
  }

  /** A tab that dies leaves its locks to the others. The death of the only one is that of the device. */
  #onDeath(tab: Tab): void {
    if (!this.#tabs.includes(tab) || this.#tabs.length === 1) return;
    this.#options.onDeath();
    this.end(tab);
  }

  /** Lets time pass for work that waits for it. */
  async #patiently<Result>(working: Promise<Result>): Promise<Result> {
    const { time, onFailure, name, isServerBusy } = this.#options;
    if (!this.needsTime) return working;
    for (let ms = 0; ms < verbMsMax; ms += verbStepMs) {
      if (await turnsUntil(working, isServerBusy)) return working;
      await time.pass(verbStepMs, fewTurns);
    }
    onFailure('not quiet', `${name} waits for a verb since ${verbMsMax / 1000} s`);
    throw new Error('a verb waits without end');
  }
}

/** A verb has the lock of a frozen tab after two checks of 30 s; the storage may then take 25 s. */
const verbMsMax = 240_000;
const verbStepMs = 10_000;
