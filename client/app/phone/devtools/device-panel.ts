/**
 * Mounts the panel that shows what this device is doing. A person can save a file for support in the panel. The file
 * contains the app's settings.
 */
import { mountDevtools } from '../../../entries/devtools.ts';
import { appInspector } from '../../shell/devtools/app-inspector.ts';
import { readRunsKept } from '../../shell/runs-kept.ts';
import { timeNotation$ } from '../../shell/time-notation.ts';
import { language } from '../../text/language.ts';

/** Mounts the panel in `place`. Returns a function that removes it. */
export const mountPanel = (place: Element, database: string): (() => void) =>
  mountDevtools(place, appInspector, {
    language,
    settings: () => ({
      is_german: language === 'de',
      has_centiminutes: timeNotation$.value === 'centiminute',
      runs_kept: Number(readRunsKept(database)),
    }),
  });

export const endTrace = (): Promise<void> => appInspector.trace(false);
