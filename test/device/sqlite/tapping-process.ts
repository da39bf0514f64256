/** A device in a process of its own, which a test tells what to do and kills. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { programArgs } from '../../programs.ts';
import type { KillableDevice } from '../acts-until-killed.ts';
import type { Act } from '../recorder-model.ts';

export interface TappingProcess extends KillableDevice {
  ask<Answer>(what: string, order?: { mapId?: string; act?: Act }): Promise<Answer>;
}

export interface Place {
  folder: string;
  /** Default: the records in memory and a journal in the folder. */
  storage?: 'sqlite';
  /** The command that starts the process on a disk of its own. */
  runner?: readonly string[];
}

export interface TappingOptions {
  place: Place;
  url: string;
  token: string;
}

export function tappingProcess({ place, url, token }: TappingOptions): TappingProcess {
  const { folder, storage, runner = [] } = place;
  const program = [...programArgs('test/scenario/recording/tapping-process'), folder, url, token];
  const [file = '', ...args] = [...runner, process.execPath, ...program, ...(storage ? [storage] : [])];
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  onTestFinished(() => void child.kill('SIGKILL'));
  const waiting: { resolve(answer: never): void; reject(error: Error): void }[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    waiting.shift()?.resolve((JSON.parse(line) as { answer: never }).answer);
  });
  void ended.then(() => waiting.forEach(({ reject }) => reject(new Error('the process ended'))));
  child.stdin.on('error', () => undefined);
  const ask: TappingProcess['ask'] = (what, order = {}) =>
    new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
      child.stdin.write(`${JSON.stringify({ what, ...order })}\n`);
    });
  return {
    ask,
    perform: (act) => ask('act', { act }),
    shown: () => ask('shown'),
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
