/** Keeps the latest value of each observable of a tab's engine. */
import { Subscription, type Observable } from 'rxjs';
import type {
  Attention,
  Custody,
  DeviceReport,
  Discarded,
  Gemba,
  Pending,
  LatestRuns,
  Recording,
  RunsOnServer,
  ScopedGemba,
  Status,
} from '../../../client/client.ts';
import type { FullMap, MapRecord } from '../../../shared/schema/map.ts';
import type { RunDoc, RunRecord } from '../../../shared/schema/run.ts';

export interface ShownValues {
  maps: readonly Pending<MapRecord>[];
  deletedMaps: readonly Pending<MapRecord>[];
  fullMaps: ReadonlyMap<string, Pending<FullMap> | undefined>;
  /** The runs of each map; empty on a device that holds a part of them, since a look at a list keeps its runs. */
  runs: ReadonlyMap<string, readonly Pending<RunRecord>[]>;
  runDocs: ReadonlyMap<number, Pending<RunDoc> | undefined>;
  custody: ReadonlyMap<string, Custody>;
  recording: Recording | null;
  discarded: readonly Discarded[];
  status: Status | undefined;
  report: DeviceReport | null | undefined;
  /** Undefined until their code is loaded. */
  attention: readonly Attention[] | undefined;
  discardedChanges: readonly Attention[] | undefined;
  /** The runs that a device with a scope does not hold; undefined on other devices. */
  runsOnServer: RunsOnServer | undefined;
  /** The latest runs of each map, those on the server too; empty on a device without a scope. */
  latestRuns: ReadonlyMap<string, LatestRuns | undefined>;
}

/** How many of the latest runs are asked for: fewer than some maps have. */
export const latestRunsMax = 3;

interface WatchShownOptions {
  /** Whether the device holds the runs of a scope alone. */
  isScoped: boolean;
  /** Called with the name of what emitted, before the other observables follow. */
  onEmission: (what: keyof ShownValues) => void;
}

export class Shown implements ShownValues {
  maps: ShownValues['maps'] = [];
  deletedMaps: ShownValues['deletedMaps'] = [];
  readonly fullMaps = new Map<string, Pending<FullMap> | undefined>();
  readonly runs = new Map<string, readonly Pending<RunRecord>[]>();
  readonly runDocs = new Map<number, Pending<RunDoc> | undefined>();
  readonly custody = new Map<string, Custody>();
  recording: Recording | null = null;
  discarded: ShownValues['discarded'] = [];
  status: ShownValues['status'];
  report: ShownValues['report'];
  attention: ShownValues['attention'];
  discardedChanges: ShownValues['discardedChanges'];
  runsOnServer: ShownValues['runsOnServer'];
  readonly latestRuns = new Map<string, LatestRuns | undefined>();
  readonly watching = new Subscription();
  readonly #gemba: Gemba;
  readonly #options: WatchShownOptions;

  constructor(gemba: Gemba, options: WatchShownOptions) {
    this.#gemba = gemba;
    this.#options = options;
  }

  /** Begins to watch; the options are called from then on. */
  watch(): void {
    const gemba = this.#gemba;
    this.#watch('maps', gemba.maps$, (maps) => this.#watchMaps((this.maps = maps)));
    this.#watch('deletedMaps', gemba.deletedMaps$, (maps) => this.#watchMaps((this.deletedMaps = maps)));
    this.#watch('recording', gemba.recording$, (recording) => (this.recording = recording));
    this.#watch('discarded', gemba.discardedRecordings$, (discarded) => (this.discarded = discarded));
    this.#watch('status', gemba.status$, (status) => (this.status = status));
    this.#watch('report', gemba.report$, (report) => (this.report = report));
    this.#watch('attention', gemba.attention$, (attention) => (this.attention = attention));
    this.#watch('discardedChanges', gemba.discardedChanges$, (changes) => (this.discardedChanges = changes));
    if (this.#options.isScoped)
      this.#watch('runsOnServer', this.#scoped.runsOnServer$, (missing) => (this.runsOnServer = missing));
  }

  watchCustody(session: string, onCustody: (custody: Custody) => void): void {
    if (this.custody.has(session)) return;
    this.custody.set(session, 'device');
    this.#watch('custody', this.#gemba.custody$(session), (custody) => {
      this.custody.set(session, custody);
      onCustody(custody);
    });
  }

  #watchMaps(maps: readonly MapRecord[]): void {
    for (const { id } of maps) {
      if (this.fullMaps.has(id)) continue;
      this.fullMaps.set(id, undefined);
      this.#watch('fullMaps', this.#gemba.map$(id), (map) => this.fullMaps.set(id, map));
      if (this.#options.isScoped) this.#watchLatestRuns(id);
      else this.#watch('runs', this.#gemba.runs$(id), (runs) => this.#watchRuns(id, runs));
    }
  }

  #watchLatestRuns(mapId: string): void {
    this.latestRuns.set(mapId, undefined);
    const latest$ = this.#scoped.latestRuns$(mapId, latestRunsMax);
    this.#watch('latestRuns', latest$, (latest) => this.latestRuns.set(mapId, latest));
  }

  get #scoped(): ScopedGemba {
    return this.#gemba as ScopedGemba;
  }

  #watchRuns(mapId: string, runs: readonly Pending<RunRecord>[]): void {
    this.runs.set(mapId, runs);
    for (const { id } of runs) {
      if (this.runDocs.has(id)) continue;
      this.runDocs.set(id, undefined);
      this.#watch('runDocs', this.#gemba.run$(id), (run) => this.runDocs.set(id, run));
    }
  }

  #watch<Value>(what: keyof ShownValues, source: Observable<Value>, keep: (value: Value) => unknown): void {
    this.watching.add(
      source.subscribe((value) => {
        keep(value);
        this.#options.onEmission(what);
      }),
    );
  }
}
