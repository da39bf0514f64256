import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolderOfRun } from '../../made-once.ts';
import { startGemba } from '../gemba-process.ts';
import { installPackage, installTarball, linkPackages, run } from '../installed-package.ts';
import { warningsOfPackage } from '../npm-warnings.ts';
import { nodes } from './nodes.ts';

test.each(nodes)(
  '[LIB-20] [LIB-21] on Node $version npm installs the package, all entries load, a recording made offline arrives once, and gemba keeps its data through kill -9',
  async ({ version, program: node, path }) => {
    const { tarball } = await installPackage();
    const project = await makeFolderOfRun('gemba-node-');
    const { stderr } = await installTarball(project, tarball, path);
    expect(warningsOfPackage(stderr)).toEqual([]);
    // The newer Nodes must not need the SQLite of Node 20.
    const hasOwnSqlite = Number.parseInt(version, 10) > 20;
    if (hasOwnSqlite) await rm(join(project, 'node_modules/@photostructure'), { recursive: true });
    await linkPackages(project, ['react', 'rxdb']);
    const js = async (name: string, code: string, env: Record<string, string> = {}) => {
      await writeFile(join(project, name), code);
      return run(node, [name], { cwd: project, env: { PATH: path, ...env } });
    };

    expect(await js('entries.js', entriesProgram)).toEqual({ stdout: await expectedEntries(project), stderr: '' });

    const settings = { DATA_DIR: await mkdtemp(join(project, 'data-')), PATH: path };
    const server = startGemba(project, { settings, node });
    const [, apiKey] = await server.until(/(gk_[\w-]+)/);
    const [, url] = await server.until(/listening on (http\S+)/);
    const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
    const steps = [{ stage_name: 'Pack', order: 1, duration_secs: 3 }];
    const body = JSON.stringify({ name: 'Packing', steps });
    expect((await fetch(`${url}/api/v1/recording/new`, { method: 'POST', headers, body })).status).toBe(201);
    server.child.kill('SIGKILL');
    await server.ended;

    const device = { URL: url!, TOKEN: apiKey! };
    expect(await js('record.js', recordProgram, device)).toEqual({ stdout: 'device\n', stderr: '' });
    const again = startGemba(project, { args: ['--port', new URL(url!).port], settings, node });
    await again.until(/listening/);
    const sent = await js('send.js', sendProgram, device);
    expect(sent).toEqual({ stdout: 'server Load,Press\n', stderr: '' });
    const csv = await (await fetch(`${url}/api/v1/export/steps.csv`, { headers })).text();
    expect(csv.match(/,(?:Pack|Load|Press),/g)?.toSorted()).toEqual([',Load,', ',Pack,', ',Press,']);
    for (const { printed } of [server, again]) expect(printed()).not.toMatch(/warning/i);
  },
);

/** Prints each entry of the package with what it exports. */
const entriesProgram = `
import { readFileSync } from 'node:fs';

const { exports } = JSON.parse(readFileSync('node_modules/gemba/package.json', 'utf8'));
for (const path of Object.keys(exports).filter((path) => path !== './package.json'))
  console.log(path, Object.keys(await import(path.replace('.', 'gemba'))).length > 0);
`;

async function expectedEntries(project: string): Promise<string> {
  const manifest = await readFile(join(project, 'node_modules/gemba/package.json'), 'utf8');
  const paths = Object.keys((JSON.parse(manifest) as { exports: Record<string, unknown> }).exports);
  return paths
    .filter((path) => path !== './package.json')
    .map((path) => `${path} true\n`)
    .join('');
}

const openProgram = `
import { openGemba } from 'gemba';
import { nodeStorage } from 'gemba/node';
import { firstValueFrom } from 'rxjs';

const gemba = await openGemba({
  name: 'station',
  url: process.env.URL,
  token: process.env.TOKEN,
  storage: nodeStorage('station.db'),
});
`;

const recordProgram = `
import { writeFileSync } from 'node:fs';
${openProgram}
const recording = await gemba.startRecording({ newMap: { name: 'Press line' } });
await recording.step({ stage_name: 'Load' });
await recording.step({ stage_name: 'Press' });
const finished = await recording.finish();
await gemba.sync();
console.log(await firstValueFrom(gemba.custody$(finished.recording_session_id)));
writeFileSync('finished.json', JSON.stringify(finished));
// A device may end without closing.
process.exit();
`;

const sendProgram = `
import { readFileSync } from 'node:fs';
${openProgram}
const { map_id, recording_session_id } = JSON.parse(readFileSync('finished.json', 'utf8'));
await gemba.sync();
const { stages } = await firstValueFrom(gemba.map$(map_id));
console.log(await firstValueFrom(gemba.custody$(recording_session_id)), stages.map(({ stage }) => stage).join());
await gemba.close();
`;
