import { rolldown, type Plugin } from 'rolldown';
import { expect, test } from 'vitest';
import { workerStarts, workerStartsPlugin } from '../../tools/package/worker-starts.ts';

const oneLine = `new Worker(new URL('./photo-worker.ts', import.meta.url), { type: 'module', name: 'photos' })`;

/** Builds a module as the engine is built, and returns its code. */
async function build(code: string): Promise<string | undefined> {
  const source: Plugin = {
    name: 'source',
    resolveId: (id) => (id === 'source' ? id : undefined),
    load: (id) => (id === 'source' ? code : undefined),
  };
  const starts = Object.fromEntries(Object.values(workerStarts).map((name) => [name, name]));
  const bundle = await rolldown({ input: { source: 'source', ...starts }, plugins: [workerStartsPlugin(), source] });
  const { output } = await bundle.generate({ format: 'esm', entryFileNames: '[name].js' });
  await bundle.close();
  const chunk = output.find(({ fileName }) => fileName === 'source.js');
  return chunk?.type === 'chunk' ? chunk.code : undefined;
}

test('[LIB-23] the build of the engine moves the starts of workers, and fails at a start that it does not find', async () => {
  const code = await build(`export const start = () => ${oneLine};`);
  expect(code).toContain('startPhotoWorker("photos")');
  for (const [other, named] of [
    [oneLine.replaceAll(', ', ',\n').replace('(new', '(\n  new'), 'new Worker'],
    [oneLine.replace('new Worker', 'new SharedWorker'), 'new SharedWorker'],
    [`new globalThis.Worker(place)`, 'new globalThis.Worker'],
    [`import.meta.url`, 'import.meta'],
  ] as const) {
    await expect(build(`export const start = (place) => ${other};`)).rejects.toThrow(`source.js has "${named}`);
  }
});
