/** Returns the plugin. Add it to `plugins` in `vite.config.ts`. */
export declare function gemba(): GembaVitePlugin;

/**
 * The package's entry `gemba/vite`: a plugin that lets Vite build the engine as small as possible, and find its
 * workers.
 */
/** The type of the plugin, for Vite 6 or newer, with only the members that this plugin has. */
export declare interface GembaVitePlugin {
  name: string;
  config(): {
    optimizeDeps: {
      exclude: string[];
    };
    resolve: {
      conditions: string[];
      alias: {
        find: RegExp;
        replacement: string;
      }[];
    };
    worker: {
      format: 'es';
    };
  };
  transform(
    code: string,
    id: string,
  ):
    | {
        code: string;
        map: null;
      }
    | undefined;
}

export {};
