import { createHash, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { canonicalJson } from '../../../shared/protocol/canonical-json.ts';
import { newApi, steps, type GetServers } from '../fixture.ts';
import { pullAll, SyncClient } from '../sync-client.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

const baseAt = (cursor: string, kinds = 'map,run'): string => `cursor="${cursor}", kinds="${kinds}"`;

/** The digest that the changes of a pull have, made without the code under test. */
function digestOfPulled(changes: { kind: string; version: number }[]): string {
  const records = changes.filter(({ kind }) => kind !== 'client').toSorted((a, b) => a.version - b.version);
  return hash(canonicalJson(records));
}

async function clientWithMap(servers: GetServers) {
  const client = new SyncClient(await newApi(servers().first));
  const map_id = randomUUID();
  await client.push([client.next('create_map', { map_id, name: 'Saw' })]);
  const { cursor } = await pullAll(client, { client_id: client.id });
  const recorded = (session: string) =>
    client.next('upload_recording', { map_id, recording_session_id: session, steps: steps('Cut', 'Plane') });
  return { client, map_id, cursor, recorded };
}

export function effectsContract(servers: GetServers): void {
  test('[PUSH-46] [PUSH-48] a push from the present cursor is answered with the digest of what a pull brings', async () => {
    const { client, map_id, cursor, recorded } = await clientWithMap(servers);
    const run_id = 2 ** 40;
    const batch = [
      client.next('add_stage', { map_id, stage: 'Clamp', stage_id: 2 ** 41 }),
      recorded('one'),
      client.next('upload_recording', { map_id, run_id, recording_session_id: 'two', steps: steps('Älteste Säge') }),
      client.next('delete_run', { run_id }),
      client.next('update_map', { map_id: randomUUID(), name: 'Nowhere' }),
    ];
    const { body } = await client.push(batch, { base: baseAt(cursor) });
    const pulled = await pullAll(client, { client_id: client.id, cursor });
    const progress = pulled.changes.find(({ kind }) => kind === 'client').doc;
    expect(body.effects).toEqual({
      after: expect.any(Number),
      at: pulled.changes.find(({ kind }) => kind === 'map').doc.updated_at,
      acked_seq: 0,
      chain: progress.chain,
      digest: digestOfPulled(pulled.changes),
    });
    expect(body.cursor).toBe(pulled.cursor);
    const statuses = body.results.map(({ seq, status, result }: Record<string, unknown>) => [seq, status, result]);
    expect(statuses).toEqual([2, 3, 4, 5, 6].map((seq) => [seq, seq === 6 ? 'rejected' : 'applied', undefined]));
    // The next push goes on from there, and a watch gets the digest of maps alone.
    const more = await client.push([recorded('three')], { base: baseAt(body.cursor, 'map') });
    const next = await pullAll(client, { cursor: body.cursor, kinds: 'map' });
    expect(more.body.effects.digest).toBe(digestOfPulled(next.changes));
  });

  test('[PUSH-47] no effects for an older cursor, a page of a first pull, a repeated number or a broken header', async () => {
    const { client, cursor, recorded } = await clientWithMap(servers);
    const first = recorded('one');
    const { body: present } = await client.push([first], { base: baseAt(cursor) });
    const withoutEffects = async (mutations: unknown[], base: string) => {
      const { status, body } = await client.push(mutations, { base });
      expect({ status, effects: body.effects }).toEqual({ status: 200, effects: undefined });
      return body;
    };
    const repeated = await withoutEffects([first], baseAt(present.cursor));
    expect(repeated.results[0].result).toBeDefined();
    await withoutEffects([first, recorded('two')], baseAt(present.cursor));
    await withoutEffects([recorded('three')], baseAt(cursor));
    const { cursor: now } = await pullAll(client);
    const page = (await client.pull({ limit: 1 })).body;
    expect(page.has_more).toBe(true);
    await withoutEffects([recorded('four')], baseAt(page.cursor));
    for (const base of ['', 'cursor', `cursor=${now}`, `cursor="${now}"`, `kinds="map"`, `"${now}`, 'x'.repeat(300)]) {
      await withoutEffects([recorded(randomUUID())], base);
    }
    await withoutEffects([], baseAt((await pullAll(client)).cursor));
  });

  test('[PUSH-46] a recording by a wrong clock brings how far it is behind', async () => {
    const { client, map_id, cursor } = await clientWithMap(servers);
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
    const args = { map_id, recording_session_id: 'one', steps: steps('Cut'), started_at: hourAgo };
    const { body } = await client.push([client.next('upload_recording', args)], {
      base: baseAt(cursor),
      sent_at: hourAgo,
    });
    const behindMs = Date.parse(body.effects.at) - Date.parse(hourAgo);
    expect(Math.abs(body.effects.clock_behind_ms - behindMs)).toBeLessThan(60_000);
    const { changes } = await pullAll(client, { cursor });
    expect(body.effects.digest).toBe(digestOfPulled(changes));
    const { started_at } = changes.find(({ kind }) => kind === 'run').doc;
    expect(Date.parse(started_at)).toBe(Date.parse(hourAgo) + body.effects.clock_behind_ms);
  });

  test('[PUSH-49] of pushes that arrive at once, at most one has effects for a cursor', async () => {
    const { client, cursor } = await clientWithMap(servers);
    const clients = Array.from({ length: 8 }, (_, index) => {
      const api = index % 2 === 0 ? client.api : client.api.at(servers().second);
      return new SyncClient(api);
    });
    const pushed = await Promise.all(
      clients.map((one, index) =>
        one.push([one.next('create_map', { name: `Map ${index}` })], { base: baseAt(cursor) }),
      ),
    );
    expect(pushed.map(({ status }) => status)).toEqual(clients.map(() => 200));
    expect(pushed.filter(({ body }) => body.effects)).toHaveLength(1);
  });
}
