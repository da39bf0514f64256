/** Makes the part of an engine that shows what it does. Its code loads when somebody looks. */
import { BehaviorSubject, defer, firstValueFrom, type Observable } from 'rxjs';
import { filter, switchMap } from 'rxjs/operators';
import type { Status } from '../sync/tabs/status.ts';
import type { InspectedEngine, ObservedEngine } from './inspected-engine.ts';
import type { InspectorVerbs } from './inspector-verbs.ts';
import type { Inspection } from './open-inspection.ts';

export interface InspectorPart {
  /** Called by `openGemba` with its parts, an `InspectedEngine`. */
  attach(engine: object, status$: Observable<Status>): void;
}

export interface Inspector extends InspectorVerbs, InspectorPart {}

export interface InspectorOptions {
  /** True to trace the sync from the opening of the engine on. Default: from the first `trace(true)` on. */
  trace?: boolean;
}

interface OpenInspection {
  engine: ObservedEngine;
  loading: Promise<Inspection>;
}

/**
 * Pass it to `openGemba` as `inspector`. Its verbs wait until an engine is open, and change nothing. It shows the engine
 * that got it last, so an app that closes its engine may open the next one with the same inspector.
 */
export function createInspector({ trace: tracesAtOnce = false }: InspectorOptions = {}): Inspector {
  const engine$ = new BehaviorSubject<ObservedEngine | undefined>(undefined);
  const attached$ = engine$.pipe(filter((engine) => engine !== undefined));
  let isTracing = tracesAtOnce;
  let current: OpenInspection | undefined;
  const inspectionOf = async (engine: ObservedEngine): Promise<Inspection> => {
    if (current?.engine !== engine)
      current = { engine, loading: import('./open-inspection.ts').then((module) => module.openInspection(engine)) };
    const opened = current;
    try {
      return await opened.loading;
    } catch (error) {
      // The next look tries to load the code again.
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
    attach: (engine: InspectedEngine, status$) => {
      current?.loading.then(
        (inspection) => inspection.end(),
        () => undefined,
      );
      current = undefined;
      engine$.next({ ...engine, status$ });
      // A trace that cannot load, or comes after the end, must not stop the program.
      if (isTracing) trace(true).catch(() => undefined);
    },
    snapshot: async (parts) => (await inspect()).snapshot(parts),
    maps: async () => (await inspect()).maps(),
    runs: async (mapId) => (await inspect()).runs(mapId),
    record: async (kind, id) => (await inspect()).record(kind, id),
    trace,
    supportBundle: async (options) => (await inspect()).supportBundle(options),
    changes$: attached$.pipe(
      switchMap((engine) => defer(() => inspectionOf(engine)).pipe(switchMap((inspection) => inspection.changes$))),
    ),
  };
}
