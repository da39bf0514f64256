/** The versions of Node.js with which the package is tried, as npm has them. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Node {
  version: string;
  /** The path of the program. */
  program: string;
  /** The PATH of a shell of this Node. */
  path: string;
}

/** The oldest one that the package promises, and the newest ones of the later lines. */
const majors = [20, 22, 24, 26];

export const nodes: Node[] = majors.map((major) => {
  const folder = join(import.meta.dirname, `node_modules/node-${major}-${process.arch}`);
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  const program = join(folder, 'bin/node');
  return { version: version.replace('v', ''), program, path: `${dirname(program)}:${process.env['PATH']}` };
});
