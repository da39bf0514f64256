/** The carrier that is no phone, in a process of its own, and channels to it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { WebSocket, type ClientOptions } from 'ws';
import { channelOf } from '../../../../carry/carrier-server.ts';
import type { ByteChannel } from '../../../../client/client.ts';
import { programArgs } from '../../../programs.ts';

export interface CarrierProcess {
  port: number;
  /** The lines that it wrote to stderr. */
  complaints: string[];
  kill(): Promise<void>;
  /** Sends `SIGTERM`, and resolves with the exit code. */
  end(): Promise<number | null>;
}

interface StartOptions {
  to: string;
  token: string;
  folder: string;
  /** Further arguments. */
  args?: string[];
}

export async function startCarrier({ to, token, folder, args = [] }: StartOptions): Promise<CarrierProcess> {
  const all = [...programArgs('carry/main'), '--listen', '127.0.0.1:0', '--to', to, '--data', folder, ...args];
  const env = { PATH: process.env['PATH'], CARRIER_TOKEN: token };
  const child = spawn(process.execPath, all, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const complaints: string[] = [];
  createInterface(child.stderr).on('line', (line) => complaints.push(line));
  const greeting = (await once(createInterface(child.stdout), 'line')) as [string];
  return {
    port: Number(/:(\d+)\/carry$/.exec(greeting[0])?.[1]),
    complaints,
    kill: () => kill(child),
    end: () => end(child),
  };
}

async function end(child: ChildProcess): Promise<number | null> {
  const exited = once(child, 'exit') as Promise<[number | null]>;
  child.kill('SIGTERM');
  const [code] = await exited;
  return code;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

export async function connect(port: number, tls?: ClientOptions): Promise<ByteChannel> {
  const socket = new WebSocket(`${tls ? 'wss' : 'ws'}://127.0.0.1:${port}/carry`, tls);
  // The carrier's hello may come with the event `open`, so the channel listens before it.
  const channel = channelOf(socket);
  await once(socket, 'open');
  return channel;
}
