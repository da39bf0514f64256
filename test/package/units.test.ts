/** The units of systemd that the package shows. */
import { execFileSync, spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { watchProcess } from '../contract/server-process.ts';
import { makeFolderOfRun } from '../made-once.ts';
import { installPackage, run } from './installed-package.ts';

describe.skipIf(!isSystemdInstalled())('systemd-analyze', () => {
  test('[LIB-28] systemd takes the units of the server and of the kiosk, and refuses one with an unknown key or program', async () => {
    const { project } = await installPackage();
    const folder = await makeFolderOfRun('gemba-units-');
    const verify = async (name: string, unit: string) => {
      await writeFile(join(folder, name), unit);
      return run('systemd-analyze', ['verify', '--man=no', '--recursive-errors=no', join(folder, name)]);
    };
    const server = await readServerUnit(project);
    const kiosk = await readFile(join(project, 'node_modules/gemba/examples/kiosk/kiosk.service'), 'utf8');

    await expect(verify('gemba.service', server)).resolves.toBeDefined();
    // Node may be elsewhere here.
    await expect(verify('kiosk.service', kiosk.replace('/usr/bin/node', process.execPath))).resolves.toBeDefined();
    await expect(verify('wrong-key.service', server.replace('Restart=', 'Restrat='))).rejects.toThrow(/Restrat/);
    await expect(verify('no-program.service', server.replace('/usr/bin/env', '/nowhere/env'))).rejects.toThrow(
      /nowhere/,
    );
  });
});

test('[LIB-29] the command of the unit with its settings is ready, and ends by SIGTERM', async () => {
  const { project } = await installPackage();
  const unit = await readServerUnit(project);
  const settings = settingsOf(unit);
  expect(settings['DATA_DIR']).toBe(`/var/lib/${valueOf(unit, 'StateDirectory')}`);
  const folder = await makeFolderOfRun('gemba-unit-');
  const path = [join(project, 'node_modules/.bin'), dirname(process.execPath), process.env['PATH']].join(':');
  // Only systemd makes the folder of the unit, and another server may have its port.
  const env = { ...settings, DATA_DIR: join(folder, 'data'), PORT: '0', PATH: path };
  const [command = '', ...args] = valueOf(unit, 'ExecStart').split(' ');

  const child = spawn(command, args, { cwd: folder, env });
  onTestFinished(() => void child.kill('SIGKILL'));
  const server = watchProcess(child);
  const [, url] = await server.until(/listening on (http\S+)/);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
});

test('[LIB-29] the unit of the kiosk has settings that the kiosk reads, and the recipe of the container names the tarball', async () => {
  const { project, tarball } = await installPackage();
  const read = (name: string) => readFile(join(project, 'node_modules/gemba', name), 'utf8');
  const kiosk = await read('examples/kiosk/kiosk.service');
  const settings = settingsOf(kiosk);
  const program = await read('examples/kiosk/kiosk.js');

  expect(Object.keys(settings).filter((name) => !program.includes(name))).toEqual([]);
  expect(settings['KIOSK_DB']).toContain(`/var/lib/${valueOf(kiosk, 'StateDirectory')}/`);
  expect(await read('docs/operations.md')).toContain(`\nCOPY ${basename(tarball)} /tmp/\n`);
});

function isSystemdInstalled(): boolean {
  try {
    execFileSync('systemd-analyze', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Takes the unit of the server out of its document. */
async function readServerUnit(project: string): Promise<string> {
  const operations = await readFile(join(project, 'node_modules/gemba/docs/operations.md'), 'utf8');
  return /^```ini\n(\[Unit\]\n[^]*?)^```$/m.exec(operations)![1]!;
}

const valueOf = (unit: string, key: string): string => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)![1]!;

const settingsOf = (unit: string): Record<string, string> =>
  Object.fromEntries(
    valueOf(unit, 'Environment')
      .split(' ')
      .map((setting) => setting.split('=')),
  );
