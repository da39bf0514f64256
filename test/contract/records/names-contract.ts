/** Names without a visible character. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { operatorActor } from '../../../server/core/caller.ts';
import { restMutationUnit } from '../../../server/mutate/rest-unit.ts';
import { adminToken, expectWrongFields, newApi, steps, type GetServers } from '../fixture.ts';
import { newCode, pair, pairedDevice } from '../pairing.ts';
import { pullAll, SyncClient } from '../sync-client.ts';

export function namesContract(servers: GetServers): void {
  test('[REST-73] [REST-83] a name that shows nothing is refused in every request, over REST and in a push, and one of an earlier version is read', async () => {
    const { first } = servers();
    const api = await newApi(first);
    const { id } = await api.createMap();
    const stage = await api.createStage(id, 'A');
    const phone = await pairedDevice(first, api, { kind: 'phone' });
    const operator = { Authorization: `Bearer ${adminToken}` };
    const name = ' \u200b\u2066\u3164 ';
    const [step] = steps('A');
    const nameless = { ...step, stage_name: name };
    const refused = {
      '/name': [
        await api.post('/api/v1/maps', { name }),
        await api.patch(`/api/v1/maps/${id}`, { name }),
        await api.post('/api/v1/recording/new', { name, steps: [step] }),
        await api.post('/api/v1/keys', { name }),
        await api.patch(`/api/v1/devices/${phone.id}`, { name }),
        await api.post('/api/v1/admin/accounts', { name, plan: 'team' }, operator),
        await api.patch(`/api/v1/admin/accounts/${api.accountId}`, { name }, operator),
      ],
      '/stage': [
        await api.post(`/api/v1/maps/${id}/stages`, { stage: name }),
        await api.patch(`/api/v1/maps/${id}/stages/${stage.id}`, { stage: name }),
      ],
      '/steps/0/stage_name': [await api.post(`/api/v1/maps/${id}/recording`, { steps: [nameless] })],
      '/device_name': [await pair(first, { code: await newCode(api), name })],
    };
    for (const [path, answers] of Object.entries(refused)) {
      for (const answer of answers) {
        expectWrongFields(answer, [path]);
        expect(answer.body.errors[0].message).toBe('must be 1 to 200 characters, of which one can be seen');
      }
    }
    const client = new SyncClient(api);
    const pushed = [
      await client.apply('create_map', { name }),
      await client.apply('update_map', { map_id: id, name }),
      await client.apply('add_stage', { map_id: id, stage: name }),
      await client.apply('update_stage', { map_id: id, stage_id: stage.id, stage: name }),
      await client.apply('upload_recording', { map_id: id, steps: [nameless] }),
      await client.apply('record_new_map', { name, steps: [step] }),
    ];
    expect(pushed.map(({ error }) => error?.code)).toEqual(pushed.map(() => 'validation_failed'));

    const args = { map_id: randomUUID(), name: '\u200b', state: 'current' } as const;
    const ofEarlierVersion = restMutationUnit({
      mutation: { name: 'create_map', args },
      deviceId: null,
      render: () => ({ status: 201, headers: {}, body: null }),
    });
    await first.services.queue.write(
      { accountId: api.accountId, tokenHash: null, actor: operatorActor },
      ofEarlierVersion,
    );
    const path = `/api/v1/maps/${args.map_id}`;
    expect((await api.get(path)).body).toMatchObject({ name: '\u200b' });
    expect((await pullAll(client)).changes).toContainEqual(expect.objectContaining({ id: args.map_id }));
    expect((await api.patch(path, { description: 'kept' })).body).toMatchObject({
      name: '\u200b',
      description: 'kept',
    });
  });
}
