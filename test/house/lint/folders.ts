/** Checks that no folder of code holds more files than a reader can oversee. */
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const filesMax = 20;
/** Migrations are never taken away, and are read in the order of their numbers. */
const growing = /\/migrations$/;
const roots = ['carry', 'client', 'examples', 'server', 'shared', 'tools', 'test'];

/** Lists the folders of these files that hold too many, as `folder: has n files, more than 20`. */
export function folderProblems(paths: string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return [...counts]
    .filter(([folder, files]) => files > filesMax && !growing.test(folder))
    .map(([folder, files]) => `${folder}: has ${files} files, more than ${filesMax}`);
}

export async function allFolderProblems(root: string): Promise<string[]> {
  const entries = await Promise.all(
    roots.map((folder) => readdir(join(root, folder), { recursive: true, withFileTypes: true })),
  );
  const paths = entries
    .flat()
    .filter((entry) => entry.isFile() && !/node_modules|client\/generated/.test(entry.parentPath))
    .map((entry) => join(entry.parentPath.slice(root.length + 1), entry.name));
  return folderProblems(paths);
}
