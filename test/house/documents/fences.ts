/**
 * Runs the code fences of a document, so that every command in it is known to work.
 *
 *     ```sh test               is run; exit 0 is expected
 *     ```sh test background    starts and goes on while later fences run; ready when it prints its ```text fence
 *     ```json, ```text, ```http  right after one of these: the output as a pattern (pattern.ts)
 *
 * All fences run in order in one bash process, so that later fences see the variables of earlier ones.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitMsMax } from '../../timeouts.ts';
import { bindingsOf, containsText, outputFits, type ShownOutput } from './pattern.ts';

export interface Fence {
  code: string;
  background: boolean;
  /** The next fence, if it shows the output of this one. */
  shown?: ShownOutput;
}

export interface FenceRun {
  fences: Fence[];
  /** The folder in which the fences run. */
  folder: string;
  env?: Record<string, string>;
}

/** The output of each fence. Rejects if a fence fails or prints something else than the document shows. */
export async function runFences({ fences, folder, env }: FenceRun): Promise<string[]> {
  const outputs = await mkdtemp(join(tmpdir(), 'gemba-fences-'));
  const watching = setInterval(() => void announceReady(fences, outputs), pollMs);
  try {
    const { exitCode, stderr } = await bash({ script: scriptOf(fences), folder, env: { ...env, OUTPUTS: outputs } });
    const bound = bindingsOf(fences.map(({ code }) => code).join('\n'));
    const printed: string[] = [];
    for (const [index, { shown, background, code }] of fences.entries()) {
      const output = await outputOf(outputs, index);
      if (output === undefined) break;
      printed.push(output);
      if (!existsSync(join(outputs, `${index}.done`))) throw new Error(`${code}\nfailed:\n${output}${stderr}`);
      if (!shown || background || outputFits(shown, output, bound)) continue;
      throw new Error(`${code}\nprinted\n${output}\ninstead of\n${shown.pattern}`);
    }
    if (exitCode !== 0) throw new Error(`bash failed:\n${stderr}`);
    return printed;
  } finally {
    clearInterval(watching);
    await rm(outputs, { recursive: true, force: true });
  }
}

export function fencesOf(markdown: string): Fence[] {
  const blocks = [...markdown.matchAll(/^```(\S*) *(.*)\n([^]*?)^```$/gm)];
  return blocks.flatMap(([, language, info = '', code = ''], index) => {
    if (language !== 'sh' || !/^test( background)?$/.test(info)) return [];
    const background = info.endsWith('background');
    const [, next, , pattern = ''] = blocks[index + 1] ?? [];
    const shows = next === 'json' || next === 'text' || next === 'http';
    const fence = shows ? { shown: { language: next, pattern } as const } : {};
    if (background && fence.shown?.language !== 'text')
      throw new Error(`no text fence says when this is ready:\n${code}`);
    return [{ code, background, ...fence }];
  });
}

const pollMs = 50;
const readyPollsMax = waitMsMax / 100;

/** Each fence writes to `<index>.out` and makes `<index>.done` on success; bash waits for `<index>.ready`. */
function scriptOf(fences: Fence[]): string {
  const commands = fences.map(({ code, background }, index) => {
    const file = `"$OUTPUTS"/${index}`;
    if (!background) return `{\n${code}} > ${file}.out\ntouch ${file}.done\n`;
    return [
      `(\n${code}) > ${file}.out 2>&1 &`,
      `for _ in {1..${readyPollsMax}}; do [ -e ${file}.ready ] && break; kill -0 $!; sleep 0.1; done`,
      `[ -e ${file}.ready ] && touch ${file}.done\n`,
    ].join('\n');
  });
  // With -m each background fence is a process group, so that its children end with it.
  const head = ['set -meuo pipefail', 'trap \'for pid in $(jobs -p); do kill -- "-$pid" || true; done; wait\' EXIT'];
  return [...head, ...commands].join('\n');
}

/** Lets bash go on once a background fence has printed the output in the document. */
async function announceReady(fences: Fence[], outputs: string): Promise<void> {
  for (const [index, { background, shown }] of fences.entries()) {
    const output = background && shown ? await outputOf(outputs, index) : undefined;
    if (shown && output !== undefined && containsText(shown.pattern, output)) {
      await writeFile(join(outputs, `${index}.ready`), '').catch(() => {});
    }
  }
}

/** undefined if the script never reached the fence. */
const outputOf = (outputs: string, index: number) =>
  readFile(join(outputs, `${index}.out`), 'utf8').catch(() => undefined);

interface BashRun {
  script: string;
  folder: string;
  env: Record<string, string>;
}

function bash({ script, folder, env }: BashRun): Promise<{ exitCode: number | null; stderr: string }> {
  return new Promise((done, failed) => {
    const shell = spawn('bash', ['-c', script], { cwd: folder, env: { ...readersEnvironment(), ...env } });
    let stderr = '';
    shell.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    shell.on('error', failed);
    shell.on('close', (exitCode) => done({ exitCode, stderr }));
  });
}

/** The reader's environment has no variables of the test run and no settings of Gemba. */
function readersEnvironment(): Record<string, string | undefined> {
  const ours = /^(NODE_ENV|TEST|VITEST.*|GEMBA_.*|.*DATABASE_URL|DATA_DIR|HOST)$/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)));
}
