/** Phones with photos, and the server to which they send them. */
import { createHash, randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { Gemba, GembaOptions } from '../../../client/client.ts';
import { device, eventually, type Network } from '../../device/devices.ts';
import type { ManualTimers } from '../../device/manual-timers.ts';
import { photographStep, photoPlatform } from './photo-devices.ts';
import { restClient, testServer } from '../../device/test-server.ts';

export async function start() {
  const server = await testServer();
  onTestFinished(() => server.remove());
  const token = await server.newAccount();
  const rest = restClient(server.url, token);
  return { server, token, read: rest.photo, rest };
}

/** Opens a phone on the network, whose waits end when the test says so. */
export const waitingPhone = (
  { server, token }: Pick<Awaited<ReturnType<typeof start>>, 'server' | 'token'>,
  { fetch }: Network,
  { clock }: ManualTimers,
): Promise<Gemba> => device({ url: server.url, token, fetch, clock, random: () => 0.5, photos: photoPlatform() });

/** Records one step with these pictures, and returns the ids. */
export async function record(phone: Gemba, pictures: Blob[], name: string = randomUUID()) {
  const recording = await phone.startRecording({ newMap: { name } });
  const ids = await photographStep(recording, 'Cut', pictures);
  return { ids, ...(await recording.finish()) };
}

export const sent = (phone: Gemba) => eventually(phone.photos$, ({ pending }) => pending === 0);
/** A comparison of megabytes, byte by byte, takes the test library seconds. */
export const hashOf = async (content: Blob | Response) =>
  createHash('sha256')
    .update(Buffer.from(await content.arrayBuffer()))
    .digest('hex');

export const problem = (status: number, code: string) =>
  new Response(JSON.stringify({ code, status, title: 'No', detail: 'Not now.', type: 'about:blank' }), {
    status,
    headers: { 'Content-Type': 'application/problem+json' },
  });

/** Notes the requests about photos, in order. */
export function noteRequests(net: Network): { options: Pick<GembaOptions, 'fetch'>; requests: string[] } {
  const requests: string[] = [];
  return {
    requests,
    options: {
      fetch: async (input, init) => {
        const { pathname } = new URL(String(input));
        if (/photos|push/.test(pathname)) requests.push(`${init?.method ?? 'GET'} ${pathname.replace('/api/v1/', '')}`);
        return net.fetch(input, init);
      },
    },
  };
}
