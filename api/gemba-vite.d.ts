/** Add it to `plugins` in `vite.config.ts`. */
export declare function gemba(): GembaVitePlugin;

/** `gemba/vite`: makes Vite build an app with the engine as small as it can be, and find the engine's workers. */
/** A plugin of Vite 6 or newer, as far as this one needs its type. */
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
