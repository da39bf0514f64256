/** Checks the vectors of docs/sync-protocol.md against the device's code, the server's code and a running server. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { extendChain, digestOf, type ChainedMutation } from '../../client/outbox/model/chain.ts';
import { mutationPayload } from '../../client/outbox/model/entry.ts';
import { recordingDigest } from '../../client/core/hash.ts';
import * as server from '../../server/mutate/verify-chain.ts';
import { packBody } from '../../shared/packed/pack.ts';
import { unpackBody } from '../../shared/packed/unpack.ts';
import { digestText } from '../../shared/protocol/chain.ts';
import type { RecordingStep } from '../../shared/schema/recording.ts';
import { testServer, type TestServer } from '../device/test-server.ts';

interface Vectors {
  digests: { name: string; version?: number; args: Record<string, unknown>; text: string; digest: string }[];
  chain: { start: string; after_each_digest: string[] };
  recording_digest: { steps: RecordingStep[]; digest: string };
  packed: { about: string; body: Record<string, unknown>; packed: Record<string, unknown> }[];
  exchange: {
    about: string;
    send: { method: string; path: string; body?: unknown };
    status: number;
    answer: Record<string, unknown>;
  }[];
}

const url = new URL('../../docs/sync-protocol-vectors.json', import.meta.url);
const vectors = JSON.parse(await readFile(url, 'utf8')) as Vectors;

const linkOf = (mutation: object): ChainedMutation => ({
  ...(mutation as Omit<ChainedMutation, 'payload'>),
  payload: mutationPayload,
});

test('[SYNC-40] device and server reckon digests and chains as the vectors have them', async () => {
  const { digests, chain } = vectors;
  for (const { text, digest, ...mutation } of digests) {
    expect(digestText(mutation)).toBe(text);
    expect(server.mutationDigestOf(mutation)).toBe(digest);
    expect(await digestOf(linkOf(mutation))).toBe(digest);
  }
  for (const [index, after] of chain.after_each_digest.entries()) {
    const first = digests.slice(0, index + 1);
    const onServer = server.extendChain(
      chain.start,
      first.map(({ digest }) => digest),
    );
    expect(onServer).toBe(after);
    expect(await extendChain(chain.start, first.map(linkOf))).toBe(after);
  }
});

test('[SYNC-40] a device reckons the digest of a recording as the vectors have it', async () => {
  const { steps, digest } = vectors.recording_digest;
  expect(await recordingDigest(steps)).toBe(digest);
});

test('[SYNC-40] [PACKED-2] a server packs pages as the vectors have them, and a device unpacks them', () => {
  for (const { about, body, packed } of vectors.packed) {
    expect({ about, packed: packBody(body) }).toEqual({ about, packed });
    expect(JSON.stringify(unpackBody(packed))).toBe(JSON.stringify(body));
  }
});

let running: TestServer;
beforeAll(async () => {
  running = await testServer();
});
afterAll(() => running.remove());

test('[SYNC-40] a server answers the exchange of the vectors as they have it', async () => {
  const token = await running.newAccount();
  const headers = { Authorization: `Bearer ${token}`, 'Gemba-Protocol': '1', 'Content-Type': 'application/json' };
  for (const { about, send, status, answer } of vectors.exchange) {
    const body = send.body === undefined ? {} : { body: JSON.stringify(send.body) };
    const response = await fetch(`${running.url}/api/v1${send.path}`, { method: send.method, headers, ...body });
    expect({ about, status: response.status, answer: await response.json() }).toMatchObject({ about, status, answer });
  }
});
