/** `gemba/vite`: makes Vite build an app with the engine as small as it can be, and find the engine's workers. */

/** A plugin of Vite 6 or newer, as far as this one needs its type. */
export interface GembaVitePlugin {
  name: string;
  config(): {
    optimizeDeps: { exclude: string[] };
    resolve: { conditions: string[]; alias: { find: RegExp; replacement: string }[] };
    worker: { format: 'es' };
  };
  transform(code: string, id: string): { code: string; map: null } | undefined;
}

/** Add it to `plugins` in `vite.config.ts`. */
export function gemba(): GembaVitePlugin {
  return {
    name: 'gemba',
    config: () => ({
      // The development server would move the engine's code away from the workers beside it.
      optimizeDeps: { exclude: ['gemba'] },
      resolve: {
        // RxJS publishes a smaller build under this condition. The others are Vite's own, which this list replaces.
        conditions: ['es2015', 'module', 'browser', 'development|production'],
        alias: [{ find: /^dexie$/, replacement: 'dexie/dist/modern/dexie.min.mjs' }],
      },
      worker: { format: 'es' },
    }),
    transform: (code, id) =>
      hooksModule.test(id) && serverDirective.test(code)
        ? { code: code.replace(serverDirective, (found) => ' '.repeat(found.length)), map: null }
        : undefined,
  };
}

const hooksModule = /\/gemba\/engine\/react\.js$/;
/** React's server components need it, and Vite, which has none, would warn of it in each build. */
const serverDirective = /^['"]use client['"];/;
