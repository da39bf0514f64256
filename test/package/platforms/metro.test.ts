import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyProject, installPackage, run } from '../installed-package.ts';

test('[LIB-23] Metro bundles `gemba` and `gemba/native` into one script, which records on SQLite', async () => {
  const { project } = await installPackage();
  const folder = await copyProject(project);
  await writeFile(join(folder, 'main.js'), appProgram);
  await writeFile(join(folder, 'phone.js'), phoneProgram);

  await run(process.execPath, [join(import.meta.dirname, 'build-with-metro.js'), folder], { cwd: folder });
  const { stdout, stderr } = await run(process.execPath, ['phone.js'], { cwd: folder });

  expect({ stdout, stderr }).toEqual({ stdout: 'device Load,Press\n', stderr: '' });
});

const appProgram = `
import { openGemba } from 'gemba';
import { sqliteStorage } from 'gemba/native';
import { firstValueFrom } from 'rxjs';

globalThis.app = async (database) => {
  const storage = sqliteStorage(database);
  const gemba = await openGemba({ name: 'phone', url: 'http://127.0.0.1:9', token: 'gk_1', storage });
  const recording = await gemba.startRecording({ newMap: { name: 'Press line' } });
  await recording.step({ stage_name: 'Load' });
  await recording.step({ stage_name: 'Press' });
  const { map_id, recording_session_id } = await recording.finish();
  const { stages } = await firstValueFrom(gemba.map$(map_id));
  const custody = await firstValueFrom(gemba.custody$(recording_session_id));
  await gemba.close();
  return custody + ' ' + stages.map(({ stage }) => stage).join();
};
`;

/** Runs the bundle as a script, which has no \`import.meta\`, with SQLite of Node in place of that of a phone. */
const phoneProgram = `
import { readFileSync } from 'node:fs';
import { runInThisContext } from 'node:vm';
import { DatabaseSync } from '@photostructure/sqlite';

// React Native has neither of these.
for (const name of ['Worker', 'BroadcastChannel', 'navigator', 'indexedDB']) delete globalThis[name];
const connection = new DatabaseSync('phone.db');
const database = {
  exec: async (sql) => connection.exec(sql),
  all: async (sql, params) => connection.prepare(sql).all(...params),
  transaction: async (work) => {
    connection.exec('BEGIN');
    await work().then(
      () => connection.exec('COMMIT'),
      (error) => {
        connection.exec('ROLLBACK');
        throw error;
      },
    );
  },
  close: () => connection.close(),
};
runInThisContext(readFileSync('bundle.js', 'utf8'), 'bundle.js');
console.log(await globalThis.app(database));
`;
