/** The process of a Node device, as the soak sees it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { programArgs } from '../programs.ts';
import type { Order } from './orders.ts';

export interface DeviceChild {
  /** Rejects with `ProcessEnded` if the process ends before it answers, and with another error if the order fails. */
  ask<Answer>(order: Order): Promise<Answer>;
  kill(): Promise<void>;
  /** Stops the process, or lets it go on. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
}

export class ProcessEnded extends Error {
  override name = 'ProcessEnded';
}

interface Place {
  folder: string;
  url: string;
  token: string;
}

export function startDeviceChild({ folder, url, token }: Place): DeviceChild {
  const child = spawn(process.execPath, [...programArgs('test/soak/device-process'), folder, url, token], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  onTestFinished(() => void child.kill('SIGKILL'));
  let hasEnded = false;
  const waiting: { resolve(answer: never): void; reject(error: Error): void }[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = JSON.parse(line) as { value: never } | { error: string };
    if ('error' in answer) waiting.shift()?.reject(new Error(answer.error));
    else waiting.shift()?.resolve(answer.value);
  });
  void ended.then(() => {
    hasEnded = true;
    for (const { reject } of waiting) reject(new ProcessEnded());
  });
  child.stdin.on('error', () => undefined);
  return {
    ask: (order) =>
      new Promise((resolve, reject) => {
        if (hasEnded) return reject(new ProcessEnded());
        waiting.push({ resolve, reject });
        child.stdin.write(`${JSON.stringify(order)}\n`);
      }),
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    signal: (name) => void child.kill(name),
  };
}
