/** Runs the OpenAPI linter, as `npm run check` does. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** The linter's findings on a document, warnings included; empty if there are none. */
export async function lint(document: object): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gemba-lint-'));
  try {
    const file = join(folder, 'openapi.json');
    await writeFile(file, JSON.stringify(document, null, 2));
    const { exitCode, output } = await runRedocly(file);
    return exitCode === 0 && !/\[WARNING\]|\d+ warnings?\b/i.test(output) ? '' : output;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs Redocly offline: it sends no usage data and does not ask for a newer version. */
async function runRedocly(file: string): Promise<{ exitCode: number | null; output: string }> {
  const program = join(root, 'node_modules/@redocly/cli/bin/cli.js');
  const args = [
    'lint',
    file,
    '--config',
    join(import.meta.dirname, 'redocly.yaml'),
    '--format',
    'stylish',
    '--max-problems',
    '50',
  ];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part.toString()));
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, output };
}
