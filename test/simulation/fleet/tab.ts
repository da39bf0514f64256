/** One tab of a device: an engine with its timers, its faults and what watches it. A device without tabs has one. */
import { BehaviorSubject, Subscription } from 'rxjs';
import { openGemba, type Gemba, type GembaOptions } from '../../../client/client.ts';
import type { TabOracle } from '../checks/tab-oracle.ts';
import { Faults } from '../faults.ts';
import { untoldPoint, type DiskUser } from '../platform/device/disk-rows.ts';
import type { TimerGroup } from '../platform/virtual-time.ts';

export class Tab implements DiskUser {
  readonly faults: Faults;
  readonly timers: TimerGroup;
  readonly watching = new Subscription();
  /** Undefined until the tab is open. */
  oracle: TabOracle | undefined;
  /** False while the tab syncs. */
  readonly atRest$ = new BehaviorSubject(true);
  #gemba: Gemba | undefined;
  #awake: Promise<void> | undefined;
  #wake = () => {};

  /** Whether it dies between its next commit and telling the other tabs. */
  diesUntold = false;
  /** The number of the fault point at which it crashes. */
  dieAt: number | undefined;

  constructor({ timers, dieAt }: { timers: TimerGroup; dieAt: number | undefined }) {
    this.timers = timers;
    this.dieAt = dieAt;
    this.faults = new Faults(
      (point, count) => count === this.dieAt || (this.diesUntold && point.startsWith(untoldPoint)),
    );
  }

  async open(options: GembaOptions): Promise<Gemba> {
    this.#gemba = await openGemba(options);
    return this.#gemba;
  }

  get gemba(): Gemba {
    if (!this.#gemba) throw new Error('the tab is not open');
    return this.#gemba;
  }

  get isFrozen(): boolean {
    return this.#awake !== undefined;
  }

  /** No timer, message, answer, lock or write reaches a frozen tab. */
  set isFrozen(isFrozen: boolean) {
    this.timers.isFrozen = isFrozen;
    if (isFrozen) this.#awake ??= new Promise((resolve) => (this.#wake = resolve));
    else {
      this.#awake = undefined;
      this.#wake();
    }
  }

  whenAwake = (): Promise<void> | undefined => this.#awake;

  /** Ends the tab at once, as a crash does. */
  end(): void {
    this.faults.dead = true;
    this.timers.end();
    this.watching.unsubscribe();
    this.oracle?.end();
    this.atRest$.next(true);
    this.#gemba?.close().catch(() => {});
  }
}
