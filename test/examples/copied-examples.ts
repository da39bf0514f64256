/** The examples as a developer has them: copied, with the installed package and what else their `package.json` names. */
import { spawn } from 'node:child_process';
import { cp, readdir, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { watchProcess, type ServerProcess } from '../contract/server-process.ts';
import { makeFolderOfRun } from '../made-once.ts';
import { copyProject, installPackage } from '../package/installed-package.ts';

export const examplesFolder = resolve(import.meta.dirname, '../../examples');

export const exampleNames = (): Promise<string[]> => readdir(examplesFolder);

/** The installed package does not bring these. */
const ownPackages = [
  'react',
  'react-dom',
  'scheduler',
  'vite',
  'rolldown',
  '@rolldown',
  '@oxc-project',
  'typescript',
  '@typescript',
  '@types',
  'undici-types',
  'csstype',
  '@tanstack',
  '@standard-schema',
];

let copying: Promise<string> | undefined;

/** Returns a folder that has each example in a folder of its name. The tests of a file share it. */
export const copyExamples = (): Promise<string> => (copying ??= copy());

async function copy(): Promise<string> {
  const { project } = await installPackage();
  const folder = await copyProject(project, ownPackages);
  await cp(join(project, 'node_modules/gemba/examples'), folder, { recursive: true });
  return folder;
}

/** Returns a folder with one example, whose packages are those of the given `node_modules`. */
export async function linkExample(name: string, nodeModules: string): Promise<string> {
  const folder = await makeFolderOfRun('gemba-example-');
  await cp(join(examplesFolder, name), folder, { recursive: true });
  await symlink(nodeModules, join(folder, 'node_modules'));
  return folder;
}

interface ProgramOptions {
  folder: string;
  file: string;
  environment: Record<string, string>;
}

/** Starts a program of an example until the test ends. */
export function startProgram({ folder, file, environment }: ProgramOptions): ServerProcess {
  const child = spawn(process.execPath, [join(folder, file)], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...environment },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return watchProcess(child);
}

/** Kills it without a chance to write anything. */
export async function killAtOnce({ child, ended }: ServerProcess): Promise<void> {
  child.kill('SIGKILL');
  await ended;
}
