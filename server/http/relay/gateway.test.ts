import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { encodeRequest, type BinaryResponse, type HttpField } from '../../../shared/relay/binary-http.ts';
import { decodeKeyList } from '../../../shared/relay/key-list.ts';
import { sealRequest } from '../../../shared/relay/sealing.ts';
import { systemWorld } from '../../core/world.ts';
import { createServerKeys } from '../../relay/server-keys.ts';
import { openStore } from '../../store/open-store.ts';
import { answerSealedRequest } from './gateway.ts';

async function answerTo(status: number, fields: HttpField[] = []) {
  const dataDir = await mkdtemp(join(tmpdir(), 'gemba-gateway-'));
  const store = await openStore({ dataDir, world: systemWorld });
  onTestFinished(async () => {
    await store.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  const serverKeys = createServerKeys({ store, world: systemWorld });
  const key = decodeKeyList(await serverKeys.publicList())![0]!;
  const path = '/api/v1/sync/pull';
  const request = encodeRequest({ method: 'GET', scheme: 'https', authority: '', path, fields: [], content: noBytes });
  const { sealed } = await sealRequest({ key, request });
  const send = async (): Promise<BinaryResponse> => ({ status, fields, content: noBytes });
  const services = { serverKeys, innerRequests: { setHandler: () => {}, send }, world: systemWorld };
  return answerSealedRequest(services, { sealed, address: '127.0.0.1' });
}

const noBytes = new Uint8Array();

test('[RELAY-33] an inner 408, 429 or 5xx is an outer 503 with its Retry-After, and any other answer is sealed', async () => {
  for (const status of [408, 429, 500, 502, 503, 504]) {
    const outer = { ok: false, status: 503, error: { code: 'unavailable' } };
    expect(await answerTo(status)).toMatchObject(outer);
    const error = { members: { retry_after_secs: 30 } };
    expect(await answerTo(status, [['retry-after', '30']])).toMatchObject({ ...outer, error });
  }
  for (const status of [200, 401, 403, 409, 413, 422, 426]) {
    expect(await answerTo(status)).toMatchObject({ ok: true, sealed: expect.any(Uint8Array) });
  }
});
