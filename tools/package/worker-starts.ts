/**
 * Moves the starts of workers into a module of their own. A bundler of an app finds a worker by its place beside the module that
 * starts it, and needs `import.meta` for that, which React Native refuses wherever it stands. There another module takes its place.
 */
import { basename } from 'node:path';
import type { Plugin } from 'rolldown';
import { workerSources } from './entries.ts';

/** These modules stand beside the workers. */
export const workerStarts = { here: 'worker-starts', nowhere: 'worker-starts-nowhere' } as const;

const names = workerSources.map((source) => basename(source, '.ts'));
/** `startOpfsWorker` for `opfs-worker`. */
const functionOf = (name: string) => `start-${name}`.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
const start = /new Worker\(new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\), \{ type: 'module', name: ([^}]+) \}\)/g;

const sources: Record<string, string> = {
  [workerStarts.here]: names
    .map(
      (name) =>
        `export const ${functionOf(name)} = (name) => new Worker(new URL('./${name}.js', import.meta.url), { type: 'module', name });`,
    )
    .join('\n'),
  [workerStarts.nowhere]: names
    .map((name) => `export const ${functionOf(name)} = () => { throw new Error('This platform has no workers'); };`)
    .join('\n'),
};

/** A start that `start` does not find, such as one of several lines, ends in another module than that of the starts. */
const otherStart = /\bimport\.meta\b|\bnew\s+(?:\w+\.)*(?:Shared)?Worker\b/;

export function workerStartsPlugin(): Plugin {
  return {
    name: 'gemba-worker-starts',
    resolveId: (id) => (id in sources ? `\0${id}` : undefined),
    load: (id) => sources[id.slice(1)],
    transform: {
      filter: { code: /\bnew Worker\(new URL\(/ },
      handler(code, id) {
        if (id.startsWith('\0')) return undefined;
        const found = [...code.matchAll(start)].map(([, name]) => functionOf(name!));
        if (found.length === 0) throw new Error(`${id} starts a worker in a way that this build does not know`);
        const calls = code.replaceAll(
          start,
          (_, name: string, workerName: string) => `${functionOf(name)}(${workerName})`,
        );
        return `import { ${found.join(', ')} } from '${workerStarts.here}';\n${calls}`;
      },
    },
    generateBundle: (_options, bundle) => {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || chunk.name === workerStarts.here) continue;
        const found = otherStart.exec(chunk.code)?.[0];
        if (found) throw new Error(`${chunk.fileName} has "${found}", which React Native refuses outside of a start`);
      }
    },
  };
}
