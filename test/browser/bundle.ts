/** The engine as a browser gets it: bundled by Vite for production. */
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type Rollup } from 'vite';
import { browserBuilds } from '../../tools/browser-builds.ts';

export interface Bundle {
  /** The code of each chunk by its file name; `entry.js` comes first. */
  chunks: Map<string, string>;
  /** Of all chunks together. */
  gzipBytes: number;
}

export async function bundle(): Promise<Bundle> {
  const entry = fileURLToPath(new URL('entry.ts', import.meta.url));
  const result = (await build({
    configFile: false,
    logLevel: 'warn',
    mode: 'production',
    resolve: browserBuilds,
    // Vitest's own NODE_ENV would make it the libraries' builds for development.
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: { entry },
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })) as Rollup.RollupOutput;
  const chunks = new Map<string, string>();
  for (const output of result.output) {
    // A worker's code is an asset to Vite.
    chunks.set(output.fileName, output.type === 'chunk' ? output.code : String(output.source));
  }
  const gzipBytes = [...chunks.values()].reduce((sum, code) => sum + gzipSync(code).length, 0);
  return { chunks, gzipBytes };
}
