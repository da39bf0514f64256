/** Runs `sqlite-child.ts` in a process of its own. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openSqliteStore } from '../../../../server/store/sqlite/sqlite-store.ts';
import { programArgs } from '../../../programs.ts';
import { newAccount } from '../records.ts';

export interface Folder {
  dataDir: string;
  accountId: string;
  remove(): void;
}

/** Makes a data folder with one account. */
export async function createFolderWithAccount(): Promise<Folder> {
  const folder = mkdtempSync(join(tmpdir(), 'gemba-sqlite-'));
  const dataDir = join(folder, 'data');
  const store = await openSqliteStore({ dataDir });
  const accountId = await newAccount(store);
  await store.close();
  return { dataDir, accountId, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The command line of a child that makes this many commits. */
export function childCommand({ dataDir, accountId }: Folder, commits: number, synchronous = 'FULL'): string[] {
  return [
    process.execPath,
    ...programArgs('test/contract/store/processes/sqlite-child'),
    dataDir,
    accountId,
    String(commits),
    synchronous,
  ];
}

/** Runs the command and returns the lines that it printed. */
export async function runCommand([file = '', ...args]: string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)(file, args);
  return stdout.trimEnd().split('\n');
}

export function startCommand([file = '', ...args]: string[]): ChildProcess {
  return spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] });
}
