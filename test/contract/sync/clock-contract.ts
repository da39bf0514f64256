/** Devices whose clocks are wrong. */
import { expect, test } from 'vitest';
import { newApi, steps, type GetServers } from '../fixture.ts';
import { SyncClient } from '../sync-client.ts';

export function clockContract(servers: GetServers): void {
  test('[PUSH-18] [PUSH-41] [PUSH-42] [PUSH-43] the start of a recording is corrected when the clock of its device is wrong', async () => {
    const client = new SyncClient(await newApi(servers().first));
    const map_id = (await client.apply('create_map', { name: 'A' })).result.id;
    const serverNow = Date.parse((await client.api.get(`/api/v1/maps/${map_id}`)).body.created_at);
    const hourMs = 3_600_000;
    const at = (ms: number) => new Date(ms).toISOString();
    const startOf = async (deviceClockBehindMs: number, agoMs: number) => {
      const deviceNow = serverNow - deviceClockBehindMs;
      const started_at = at(deviceNow - agoMs);
      const recording = client.next('upload_recording', { map_id, started_at, steps: steps('Cut') });
      const { body } = await client.push([recording], { sent_at: at(deviceNow) });
      const run = (await client.api.get(`/api/v1/runs/${body.results[0].result.run.id}`)).body;
      const offMs = Math.abs(Date.parse(run.started_at) - (serverNow - agoMs));
      return { given: started_at, run, isRight: offMs < hourMs / 2 };
    };
    for (const behindMs of [50 * 365 * 24 * hourMs, 2 * hourMs, -2 * hourMs]) {
      const { given, run, isRight } = await startOf(behindMs, 3 * hourMs);
      expect({ isRight, device_started_at: run.device_started_at }).toEqual({
        isRight: true,
        device_started_at: given,
      });
    }
    const { given, run } = await startOf(30_000, 3 * hourMs);
    expect(run).toMatchObject({ started_at: given });
    expect(run).not.toHaveProperty('device_started_at');
    // The recording was made by a correct clock and sent after a restart that reset the clock.
    const rightStart = at(serverNow - 3 * hourMs);
    const kept = client.next('upload_recording', { map_id, started_at: rightStart, steps: steps('Cut') });
    const { body: sentIn1970 } = await client.push([kept], { sent_at: at(60_000) });
    const keptRun = (await client.api.get(`/api/v1/runs/${sentIn1970.results[0].result.run.id}`)).body;
    expect(keptRun.started_at).toBe(rightStart);
    expect(keptRun).not.toHaveProperty('device_started_at');
    const { run: future } = await startOf(2 * hourMs, -hourMs);
    expect(Date.parse(future.started_at)).toBeLessThanOrEqual(Date.parse(future.created_at));
  });
}
