import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyProject, installPackage, run } from './installed-package.ts';

test('[BRIDGE-14] [BRIDGE-18] the example of docs/rxdb.md runs with the installed package, whose types compile strictly', async () => {
  const { project } = await installPackage();
  const copy = await copyProject(project, ['rxdb', 'typescript', '@typescript']);
  const markdown = await readFile(join(project, 'node_modules/gemba/docs/rxdb.md'), 'utf8');
  const example = /^```js rxdb\.js\n([^]*?)^```$/m.exec(markdown)![1]!;
  // Port 9 has no server, and the program is to end by itself.
  const program = `${example.replace(':8080', ':9')}\nawait database.close();\nawait gemba.close();\n`;
  await writeFile(join(copy, 'rxdb.js'), program);
  await writeFile(join(copy, 'main.ts'), typedProgram);
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022', 'dom', 'esnext.disposable'],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
  };
  await writeFile(join(copy, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.ts'] }));

  expect((await run(process.execPath, ['rxdb.js'], { cwd: copy })).stdout).toMatch(/^1 Load true$/m);
  await expect(run(process.execPath, ['node_modules/typescript/bin/tsc'], { cwd: copy })).resolves.toBeDefined();
});

const typedProgram = `
import type { Gemba } from 'gemba';
import { mapsSchema, replicateMaps, replicateRuns, runsSchema, type MapDocument, type RunDocument } from 'gemba/rxdb';
import { createRxDatabase, type RxCollection } from 'rxdb';
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory';

export async function stagesOf(gemba: Gemba): Promise<string[]> {
  const database = await createRxDatabase<{ maps: RxCollection<MapDocument>; runs: RxCollection<RunDocument> }>({
    name: 'app',
    storage: getRxStorageMemory(),
  });
  const { maps, runs } = await database.addCollections({ maps: { schema: mapsSchema }, runs: { schema: runsSchema } });
  replicateMaps({ gemba, collection: maps }).error$.subscribe(({ code }) => code);
  await replicateRuns({ gemba, collection: runs, waitForLeadership: false }).awaitInitialReplication();
  // @ts-expect-error a replication follows an engine
  replicateMaps({ collection: maps });
  const slow = await runs.find({ selector: { total_time_secs: { $gt: 60 } }, sort: [{ created_at: 'desc' }] }).exec();
  return slow.map(({ steps }) => steps[0]?.stage_name ?? '');
}
`;
