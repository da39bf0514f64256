/** Creates the inspector of an engine. Most of its code loads when it is first used. */
import { BehaviorSubject, firstValueFrom, type Observable } from 'rxjs';
import { filter, switchMap } from 'rxjs/operators';
import type { Status } from '../sync/tabs/status.ts';
import type { InspectedEngine, InspectedRelay, ObservedEngine } from './inspected-engine.ts';
import type { InspectorVerbs } from './inspector-verbs.ts';
import type { Inspection } from './open-inspection.ts';
import { untilLoaded } from './until-loaded.ts';

export interface InspectorPart {
  /** `openGemba` calls this with the parts of the engine, an `InspectedEngine`. */
  attach(engine: object, status$: Observable<Status>): void;
}

export interface Inspector extends InspectorVerbs, InspectorPart {
  /**
   * The inspector shows the carrier and the hand-over in the options of `engine`. If `relay` has a carrier or a
   * hand-over, the inspector shows the one of `relay` instead.
   */
  attach(engine: object, status$: Observable<Status>, relay?: InspectedRelay): void;
}

export interface InspectorOptions {
  /** True to trace the sync from the engine's opening. Default: the trace starts with the first `trace(true)`. */
  trace?: boolean;
}

interface OpenInspection {
  engine: ObservedEngine;
  loading: Promise<Inspection>;
}

const loadInspectionCode = () => import('./open-inspection.ts');

/**
 * Creates an inspector, to pass to `openGemba` as `inspector`. The inspector changes nothing, and its verbs wait until
 * an engine is open. It shows the engine attached last, so an app may reopen its engine with the same inspector.
 */
export function createInspector({ trace: tracesAtOnce = false }: InspectorOptions = {}): Inspector {
  const engine$ = new BehaviorSubject<ObservedEngine | undefined>(undefined);
  const attached$ = engine$.pipe(filter((engine) => engine !== undefined));
  let isTracing = tracesAtOnce;
  let current: OpenInspection | undefined;
  const open = async (engine: ObservedEngine): Promise<Inspection> => {
    const { openInspection } = await loadInspectionCode();
    const inspection = openInspection(engine);
    // Ignore the error of a trace that begins after the engine has closed.
    if (isTracing) inspection.trace(true).catch(() => undefined);
    return inspection;
  };
  const inspectionOf = async (engine: ObservedEngine): Promise<Inspection> => {
    if (current?.engine !== engine) current = { engine, loading: open(engine) };
    const opened = current;
    try {
      return await opened.loading;
    } catch (error) {
      // Let the next call load the code again.
      if (current === opened) current = undefined;
      throw error;
    }
  };
  const inspect = async (): Promise<Inspection> => inspectionOf(await firstValueFrom(attached$));
  const trace = async (isOn: boolean): Promise<void> => {
    isTracing = isOn;
    return (await inspect()).trace(isOn);
  };
  return {
    attach: (engine: InspectedEngine, status$, relay) => {
      current?.loading.then(
        (inspection) => inspection.end(),
        () => undefined,
      );
      current = undefined;
      const options = relay ? { ...engine.options, ...relay } : engine.options;
      engine$.next({ ...engine, options, status$ });
      // Ignore a failed download of the code, which must not end the program.
      if (isTracing) trace(true).catch(() => undefined);
    },
    snapshot: async (parts) => (await inspect()).snapshot(parts),
    maps: async () => (await inspect()).maps(),
    runs: async (mapId) => (await inspect()).runs(mapId),
    record: async (kind, id) => (await inspect()).record(kind, id),
    trace,
    supportBundle: async (options) => (await inspect()).supportBundle(options),
    changes$: attached$.pipe(
      switchMap((engine) => untilLoaded(loadInspectionCode).pipe(switchMap(() => inspectionOf(engine)))),
      switchMap((inspection) => inspection.changes$),
    ),
  };
}
