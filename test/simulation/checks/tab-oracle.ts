/** Checks each emission of one tab against what the model permits at that moment. */
import type { Custody, Gemba } from '../../../client/client.ts';
import type { MutationBody } from '../../../client/storage/rows.ts';
import type { KnownWork } from '../fleet/known-work.ts';
import type { FailureKind } from '../fleet/failure.ts';
import { stageNames, type Step, type Work } from '../fleet/works.ts';
import type { ServerLog } from '../platform/server-log.ts';
import { contentOf, type ComparedMap, type Extent } from './account-history.ts';
import type { Facts } from './facts.ts';
import { Shown, type ShownValues } from './shown.ts';
import { problemsOf } from './shown-rules.ts';

export interface OracleOptions {
  gemba: Gemba;
  log: ServerLog;
  facts: Facts;
  /** Whether the device holds all runs of all maps. */
  holdsAllRuns: boolean;
  /** Whether the device holds the runs of a scope alone, so that a look at runs changes what it holds. */
  isScoped: boolean;
  /** Whether REST, which the log does not have, changes the account, too. */
  hasOtherWriters: boolean;
  /** Returns what people know to be on the device. The oracle adds the recordings that it saw. */
  memory: () => KnownWork;
  onShown: (session: string) => void;
  /** Reads the mutations in the outbox of the disk. */
  outbox: () => MutationBody[];
  hasRestored: () => boolean;
  onFailure: (kind: FailureKind, detail: string) => void;
}

/** A content that a tab showed with nothing pending. */
interface ShownContent {
  maps: ComparedMap[];
  /** Whether the first pull of the device was under way, which is shown page by page. */
  isPart: boolean;
}

export class TabOracle {
  readonly shown: Shown;
  readonly #options: OracleOptions;
  /** The sessions that this tab must go on to show: those on the disk when it opened, and those that it showed. */
  readonly #expected: Set<string>;
  /** The steps with which each session was finished on the device. */
  readonly #stepsOf = new Map<string, (readonly Step[])[]>();
  /** Contents that the tab showed with nothing pending, which the log may know only later. */
  #unexplained: ShownContent[] = [];
  /** Recordings that were called safe while the log did not know all that the server took. */
  readonly #claims: { session: string; steps: readonly Step[] }[] = [];
  #lastContent = '';
  #place = 0;
  #isDue = false;

  constructor(options: OracleOptions) {
    this.#options = options;
    this.#expected = new Set(options.memory().shown);
    const { gemba, isScoped } = options;
    this.shown = new Shown(gemba, { isScoped, onEmission: (what) => this.#onEmission(what) });
    this.shown.watch();
  }

  end(): void {
    this.shown.watching.unsubscribe();
  }

  /** Watches where a recording is that was finished or imported on the device. */
  watchWork({ identity }: Work): void {
    if (identity.kind !== 'recording') return;
    const { session, steps } = identity;
    const known = this.#stepsOf.get(session);
    if (known) return void known.push(steps);
    this.#stepsOf.set(session, [steps]);
    let last: Custody = 'device';
    this.shown.watchCustody(session, (custody) => {
      this.#expectCustody(session, custody);
      if (custody === 'device' && last === 'server') this.#expectLost(session);
      last = custody;
    });
  }

  /** Looks for what was shown in what the account had since. */
  explain(): void {
    const { log, hasOtherWriters, hasRestored, onFailure } = this.#options;
    if (log.isBehind) return;
    this.#expectClaims();
    const unexplained = this.#unexplained;
    this.#unexplained = [];
    if (hasOtherWriters) return;
    for (const { maps, isPart } of unexplained) {
      const from = hasRestored() ? 0 : this.#place;
      const content = contentOf(maps);
      const place = isPart ? log.history.placeOfPart(maps, from) : log.history.placeOf(this.#extent, content, from);
      if (place === undefined)
        onFailure('unlike the model', `shows what the account never had, or no more: ${content}`);
      else this.#place = place;
    }
  }

  get #extent(): Extent {
    return this.#options.holdsAllRuns ? 'all' : 'maps';
  }

  #onEmission(what: keyof ShownValues): void {
    if (what === 'recording') this.#expectTaps();
    // Each observable emits in turn what one write changes, so that all have emitted in the next microtask.
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      if (!this.shown.watching.closed) this.#check();
    });
  }

  #check(): void {
    const { onFailure } = this.#options;
    for (const { kind, detail } of problemsOf(this.shown)) onFailure(kind, detail);
    this.#expectSteps();
    if (this.#options.holdsAllRuns) this.#expectKept();
    this.#noteContent();
  }

  /** The recording under way has taps of its session, in their order. */
  #expectTaps(): void {
    const { recording } = this.shown;
    if (!recording) return;
    const stages = recording.steps.map(({ stage_name }) => stage_name);
    if (!this.#options.facts.areTaps(recording.recording_session_id, stages))
      this.#options.onFailure('lost taps', `records ${stages.join(' ')}, which nobody tapped so`);
  }

  #expectSteps(): void {
    for (const run of this.shown.runDocs.values()) {
      if (!run) continue;
      const stages = run.steps.map(({ stage_name }) => stage_name);
      if (!this.#options.facts.areFinished(run.recording_session_id, stages))
        this.#options.onFailure('torn view', `a run shows ${stages.join(' ')}, which nobody finished so`);
    }
  }

  /** A recording that was shown stays shown, as a run or as refused, unless it was deleted or the server lost it. */
  #expectKept(): void {
    const { facts, log, onShown, onFailure, memory } = this.#options;
    const present = new Set([...this.shown.runs.values()].flat().map((run) => run.recording_session_id));
    for (const { args } of this.shown.attention ?? []) {
      const session = args['recording_session_id'];
      if (typeof session === 'string') present.add(session);
    }
    for (const session of present) {
      this.#expected.add(session);
      if (!memory().shown.has(session)) onShown(session);
    }
    if (this.shown.attention === undefined) return;
    for (const session of this.#expected) {
      if (present.has(session) || facts.deletedSessions.has(session)) continue;
      const [held] = this.#uploadsOf(session);
      if (!held && log.lostSessions.has(session)) this.#expected.delete(session);
      else if (!held || !this.#waitsForItsMap(held)) onFailure('vanished', `no longer shows the recording ${session}`);
    }
  }

  /** Returns the uploads of the session that the outbox has. */
  #uploadsOf(session: string): MutationBody[] {
    return this.#options
      .outbox()
      .filter(
        ({ args, state, is_void }) =>
          args['recording_session_id'] === session && state !== 'discarded' && is_void !== true,
      );
  }

  /** A recording of a map that somebody deleted, or that a restore lost, is counted as waiting until it is refused. */
  #waitsForItsMap({ name, args }: MutationBody): boolean {
    const { maps, status } = this.shown;
    const isShown = maps.some(({ id }) => id === args['map_id']);
    return name === 'upload_recording' && !isShown && (status?.pending ?? 0) > 0;
  }

  /** The server has a recording, with all steps that were finished here, or had it before a restore. */
  #expectCustody(session: string, custody: Custody | undefined): void {
    if (custody !== 'server') return;
    for (const steps of this.#stepsOf.get(session) ?? []) this.#claims.push({ session, steps });
    if (!this.#options.log.isBehind) this.#expectClaims();
  }

  #expectClaims(): void {
    const { log, onFailure } = this.#options;
    for (const { session, steps } of this.#claims.splice(0)) {
      // A tab may not have heard yet that a copy finished the session otherwise than the server has it.
      if (!log.recordedSessions.has(session))
        onFailure('custody false', `says that the server has the recording ${stageNames(steps)}`);
    }
  }

  /** A recording that was safe is so until the server loses it or somebody deletes it. */
  #expectLost(session: string): void {
    const { log, facts, holdsAllRuns, hasRestored, onFailure } = this.#options;
    if (facts.deletedSessions.has(session) || log.lostSessions.has(session)) return;
    const uploads = this.#uploadsOf(session);
    // Another finish of the session came to the device, by a copy or a file, and the server may not have it.
    if (uploads.some(({ state, acknowledged_at }) => state !== 'receipt' && acknowledged_at === null)) return;
    // A device without all runs proves what it sent anew after a restore, and forgets it with its receipt after 30 days.
    if (!holdsAllRuns && (hasRestored() || uploads.length === 0)) return;
    onFailure('custody false', `no longer says that the server has ${session}`);
  }

  #noteContent(): void {
    const { status, maps, deletedMaps, fullMaps, runs, runDocs } = this.shown;
    if (status?.pending !== 0 || this.#options.hasOtherWriters) return;
    const stepsOf = (id: number) =>
      runDocs
        .get(id)
        ?.steps.map(({ stage_name }) => stage_name)
        .join(' ') ?? '';
    const compared = [...maps, ...deletedMaps].map(({ id, name, deleted }) => ({
      id,
      name,
      isDeleted: deleted,
      stages: fullMaps.get(id)?.stages.map(({ stage }) => stage) ?? [],
      runs: this.#options.holdsAllRuns
        ? new Map((runs.get(id) ?? []).map((run) => [run.recording_session_id, stepsOf(run.id)]))
        : undefined,
    }));
    const isPart = status.last_synced_at === null;
    const content = `${isPart} ${contentOf(compared)}`;
    if (content !== this.#lastContent) this.#unexplained.push({ maps: compared, isPart });
    this.#lastContent = content;
  }
}
