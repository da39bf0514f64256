/** The package as others have it: packed by npm, and installed from its tarball into an empty project. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { makePackage } from '../../tools/package/make-package.ts';
import { buildApp } from '../browser/app/build.ts';
import { builtSite } from '../site/built-site.ts';
import { makeFolderOfRun, makeOnce } from '../made-once.ts';

export const run = promisify(execFile);

/** The folder with `package`, its `tarball`, and `project`, an empty project with it. */
interface Installed {
  folder: string;
  tarball: string;
  project: string;
}

/** Builds, packs and installs once for a test run. */
export async function installPackage(): Promise<Installed> {
  const folder = (await makeOnce('package', make)) ?? (await makeFolderOfRun('gemba-package-'));
  const names = await readdir(folder);
  if (names.length === 0) await make(folder);
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz'))!;
  return { folder, tarball: join(folder, tarball), project: join(folder, 'project') };
}

async function make(folder: string): Promise<void> {
  const app = await buildApp();
  await makePackage(join(folder, 'package'), { app: app.folder, site: await builtSite() });
  await app.remove();
  const { stdout } = await run('npm', ['pack', '--silent', './package'], { cwd: folder });
  const project = join(folder, 'project');
  await mkdir(project);
  await installTarball(project, join(folder, stdout.trim()));
}

/** Installs what a user of the package gets into an empty folder, by the first `node` of the path. */
export async function installTarball(
  project: string,
  tarball: string,
  path = process.env['PATH'],
): Promise<{ stderr: string }> {
  await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'project', private: true, type: 'module' }));
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier'];
  return run('npm', ['install', '--omit=dev', ...quiet, '--prefer-offline', '--engine-strict', tarball], {
    cwd: project,
    env: { ...process.env, PATH: path },
  });
}

/** Copies the project, with links to `extra` packages or scopes of this repository, such as those that a builder needs. */
export async function copyProject(project: string, extra: readonly string[] = []): Promise<string> {
  const copy = await makeFolderOfRun('gemba-project-');
  await cp(project, copy, { recursive: true });
  await linkPackages(copy, extra);
  return copy;
}

/** Links packages or scopes of this repository into the project. */
export async function linkPackages(project: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await mkdir(dirname(join(project, 'node_modules', name)), { recursive: true });
    await symlink(join(import.meta.dirname, '../../node_modules', name), join(project, 'node_modules', name));
  }
}

/** The program `gemba` of the package in this project. */
export const program = (project: string): string => join(project, 'node_modules/gemba/server/gemba.js');
