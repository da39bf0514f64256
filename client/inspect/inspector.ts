/** Makes the part of an engine that shows what it does. Its code loads when somebody looks. */
import { defer, type Observable } from 'rxjs';
import { switchMap } from 'rxjs/operators';
import type { Status } from '../sync/tabs/status.ts';
import type { InspectedEngine, ObservedEngine } from './inspected-engine.ts';
import type { InspectorVerbs } from './inspector-verbs.ts';

export interface InspectorPart {
  /** Called by `openGemba` with its parts, an `InspectedEngine`. */
  attach(engine: object, status$: Observable<Status>): void;
}

export interface Inspector extends InspectorVerbs, InspectorPart {}

export interface InspectorOptions {
  /** True to trace the sync from the opening of the engine on. Default: from the first `trace(true)` on. */
  trace?: boolean;
}

/** Pass it to `openGemba` as `inspector`, one for each engine. Its verbs wait until that engine is open, and change nothing. */
export function createInspector({ trace: tracesAtOnce = false }: InspectorOptions = {}): Inspector {
  let onAttached: (engine: ObservedEngine) => void = () => {};
  const attached = new Promise<ObservedEngine>((resolve) => void (onAttached = resolve));
  let opening: Promise<InspectorVerbs> | undefined;
  const open = (): Promise<InspectorVerbs> =>
    (opening ??= attached.then(async (engine) => {
      const { openInspection } = await import('./open-inspection.ts');
      return openInspection(engine);
    }));
  const opened = async (): Promise<InspectorVerbs> => {
    try {
      return await open();
    } catch (error) {
      // The next look tries to load the code again.
      opening = undefined;
      throw error;
    }
  };
  return {
    attach: (engine: InspectedEngine, status$) => {
      onAttached({ ...engine, status$ });
      // A trace that cannot load, or comes after the end, must not stop the program.
      if (tracesAtOnce)
        opened()
          .then(({ trace }) => trace(true))
          .catch(() => undefined);
    },
    snapshot: async () => (await opened()).snapshot(),
    maps: async () => (await opened()).maps(),
    runs: async (mapId) => (await opened()).runs(mapId),
    record: async (kind, id) => (await opened()).record(kind, id),
    trace: async (isOn) => (await opened()).trace(isOn),
    supportBundle: async (options) => (await opened()).supportBundle(options),
    changes$: defer(opened).pipe(switchMap(({ changes$ }) => changes$)),
  };
}
