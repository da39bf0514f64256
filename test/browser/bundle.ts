/** The engine's production bundle for browsers, made by Vite. */
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type Rollup } from 'vite';
import { modernBuildResolution } from '../../tools/browser-builds.ts';

export interface Bundle {
  /** The code of each chunk by its file name; `entry.js` comes first. */
  chunks: Map<string, string>;
  /** The gzip size of all chunks together. */
  gzipBytes: number;
}

/** `page` is the file that the page loads, in this folder. */
export async function buildBundle(page = 'entry.ts'): Promise<Bundle> {
  const entry = fileURLToPath(new URL(page, import.meta.url));
  const result = (await build({
    configFile: false,
    logLevel: 'warn',
    mode: 'production',
    resolve: modernBuildResolution,
    // Vitest's own NODE_ENV would select the development builds of the libraries.
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: { entry },
        // HPKE asks Node for its WebCrypto only where there is no global one, which each browser has.
        external: ['crypto'],
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })) as Rollup.RollupOutput;
  const chunks = new Map<string, string>();
  for (const output of result.output) {
    // Vite treats a worker's code as an asset.
    chunks.set(output.fileName, output.type === 'chunk' ? output.code : String(output.source));
  }
  const gzipBytes = [...chunks.values()].reduce((sum, code) => sum + gzipSync(code).length, 0);
  return { chunks, gzipBytes };
}
