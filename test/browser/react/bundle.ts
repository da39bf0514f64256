/**
 * The trials of the hooks as a bundle for the browser. React is its development build, since StrictMode mounts twice only
 * there. `TEST_REACT` names a folder with another `react` and `react-dom`.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin, type Rollup } from 'vite';
import { modernBuildResolution } from '../../../tools/browser-builds.ts';
import type { Bundle } from '../bundle.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const inRoot = (path: string) => join(root, path);

export async function buildTrials(): Promise<Bundle> {
  const otherReact = process.env['TEST_REACT'];
  const alias = [
    ...modernBuildResolution.alias,
    { find: /^gemba$/, replacement: inRoot('client/client.ts') },
    { find: /^gemba\/react$/, replacement: inRoot('client/entries/react.ts') },
    ...(otherReact ? [{ find: /^(react|react-dom)(?=\/|$)/, replacement: `${otherReact}/$1` }] : []),
  ];
  const result = (await build({
    configFile: false,
    logLevel: 'warn',
    mode: 'development',
    resolve: { ...modernBuildResolution, alias },
    define: { 'process.env.NODE_ENV': '"development"' },
    plugins: [guideExample()],
    build: {
      write: false,
      minify: false,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: { entry: inRoot('test/browser/react/trials/entry.ts') },
        external: ['crypto'],
        // The hooks are one bundle with the page, which needs no mark for server components.
        onwarn: (warning, warn) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning),
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })) as Rollup.RollupOutput;
  const chunks = result.output.map((output): [string, string] => [
    output.fileName,
    output.type === 'chunk' ? output.code : String(output.source),
  ]);
  return { chunks: new Map(chunks), gzipBytes: 0 };
}

const guide = 'docs/react.md';
const moduleName = 'virtual:guide-example';
const moduleId = inRoot('docs/guide-example.tsx');

/** Serves the example of the guide as a module. */
function guideExample(): Plugin {
  return {
    name: 'guide-example',
    enforce: 'pre',
    resolveId: (id) => (id === moduleName ? moduleId : null),
    load: async (id) => {
      if (id !== moduleId) return null;
      const [, code] = /^```tsx\n([^]*?)^```$/m.exec(await readFile(inRoot(guide), 'utf8')) ?? [];
      if (code === undefined) throw new Error(`${guide} has no example`);
      return `/** @jsxImportSource react */\n${code}`;
    },
  };
}
