/**
 * The package's entry `gemba/vite`: a plugin that lets Vite build the engine as small as possible, and find its
 * workers.
 */

/** The type of the plugin, for Vite 6 or newer, with only the members that this plugin has. */
export interface GembaVitePlugin {
  name: string;
  config(): {
    optimizeDeps: { exclude: string[] };
    resolve: { conditions: string[]; alias: { find: RegExp; replacement: string }[] };
    worker: { format: 'es' };
  };
  transform(code: string, id: string): { code: string; map: null } | undefined;
}

/** Returns the plugin. Add it to `plugins` in `vite.config.ts`. */
export function gemba(): GembaVitePlugin {
  return {
    name: 'gemba',
    config: () => ({
      // If Vite pre-bundled the engine, the engine would no longer find its workers, which lie beside its modules.
      optimizeDeps: { exclude: ['gemba'] },
      resolve: {
        // `es2015` selects a smaller build of RxJS. This list replaces Vite's default list, so this list repeats the
        // three conditions of the default list.
        conditions: ['es2015', 'module', 'browser', 'development|production'],
        alias: [{ find: /^dexie$/, replacement: 'dexie/dist/modern/dexie.min.mjs' }],
      },
      worker: { format: 'es' },
    }),
    transform: (code, id) =>
      hooksModulePath.test(id) && serverDirective.test(code)
        ? { code: code.replace(serverDirective, (found) => ' '.repeat(found.length)), map: null }
        : undefined,
  };
}

const hooksModulePath = /\/gemba\/engine\/react\.js$/;
/** Matches `'use client'`, a directive for React's server components. Vite has no such components and would warn. */
const serverDirective = /^['"]use client['"];/;
