import { mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstValueFrom } from 'rxjs';
import { filter } from 'rxjs/operators';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { EarlyEngine, Recording, RecordingTarget, StepFields } from './gemba.ts';
import { openGemba } from './gemba.ts';
import { nodeStorage } from './node.ts';

const folder = mkdtempSync(join(tmpdir(), 'gemba-checked-'));
afterAll(() => rmSync(folder, { recursive: true }));
const optionsOf = (name: string) => ({
  name,
  url: 'http://127.0.0.1:9',
  storage: nodeStorage(join(folder, `${name}.db`)),
});
const refusal = (message: string, ...paths: string[]) => ({
  code: 'validation_failed',
  message,
  errors: paths.map((path) => expect.objectContaining({ path })),
});

test('[LIB-13] a recording refuses arguments that are missing, unknown or contradict each other, by the names that the caller wrote', async () => {
  const early: EarlyEngine[] = [];
  const gemba = await openGemba({ ...optionsOf('recording'), onBegun: (engine) => void early.push(engine) });
  onTestFinished(() => gemba.close());
  const targets: [unknown, ReturnType<typeof refusal>][] = [
    [undefined, refusal('must be an object', '')],
    [{}, refusal('must have either mapId or newMap', '')],
    [{ mapId: 'a', newMap: { name: 'Saw' } }, refusal('must have either mapId or newMap', '')],
    [{ mapId: 1 }, refusal('/mapId must be a UUID', '/mapId')],
    [{ map: 'a' }, refusal('/map unknown field', '/map')],
    [{ newMap: 'Saw' }, refusal('/newMap must be an object', '/newMap')],
    [{ newMap: { name: 'Saw', industry: 'steel' } }, refusal('/newMap/industry unknown field', '/newMap/industry')],
    [{ newMap: {} }, refusal('/newMap/name is required', '/newMap/name')],
  ];
  for (const { startRecording } of [gemba, ...early])
    for (const [target, expected] of targets)
      await expect(startRecording(target as RecordingTarget)).rejects.toMatchObject(expected);

  const recording = await gemba.startRecording({ newMap: { name: 'Saw' } });
  const shown = (await firstValueFrom(gemba.recording$))!;
  expect(await firstValueFrom(gemba.recording$)).toBe(shown);
  const misspelt = { stage_name: 'Load', worktype: 'waste' } as StepFields;
  const verbs: [(of: Recording) => Promise<unknown>, ReturnType<typeof refusal>][] = [
    [(of) => of.step(misspelt), refusal('/worktype unknown field', '/worktype')],
    [(of) => of.nextCycle(misspelt), refusal('/worktype unknown field', '/worktype')],
    [(of) => of.step('Load' as unknown as StepFields), refusal('must be an object', '')],
    [(of) => (of.note as () => Promise<void>)(), refusal('/text must be text', '/text')],
    [(of) => of.note('x'.repeat(10_001)), refusal(expect.stringMatching(/^\/text /), '/text')],
  ];
  await recording.step({ stage_name: 'Load' });
  for (const of of [recording, shown])
    for (const [verb, expected] of verbs) await expect(verb(of)).rejects.toMatchObject(expected);
  const { recording: next } = await recording.nextCycle({ stage_name: 'Load' });
  await expect(next.step(misspelt)).rejects.toMatchObject({ code: 'validation_failed' });
  await next.discard();
  const restored = await gemba.restoreRecording(next.recording_session_id);
  await expect(restored.step(misspelt)).rejects.toMatchObject({ code: 'validation_failed' });
});

test('[LIB-14] an observable that is subscribed to after the end fails with closed', async () => {
  const gemba = await openGemba(optionsOf('closed'));
  await gemba.close();
  for (const observable of [gemba.maps$, gemba.status$, gemba.recording$, gemba.map$('a'), gemba.custody$('a')])
    await expect(firstValueFrom(observable as typeof gemba.maps$)).rejects.toMatchObject({ code: 'closed' });
});

test('[LIB-15] a device that never synced says that another program answers at its address, and nothing where none does', async () => {
  const html = { 'Content-Type': 'text/html' };
  const other = createServer((request, response) => {
    if (request.url?.startsWith('/moved/')) response.writeHead(301, { Location: '/elsewhere' }).end();
    else response.writeHead(404, html).end('<html>');
  });
  await once(other.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void other.close());
  const { port } = other.address() as { port: number };
  const statusAt = async (path: string) => {
    const url = `http://127.0.0.1:${port}${path}`;
    const gemba = await openGemba({ ...optionsOf(`at${path.replaceAll('/', '-')}`), url, token: 'gk_1' });
    onTestFinished(() => gemba.close());
    return firstValueFrom(gemba.status$.pipe(filter(({ error }) => error !== null)));
  };
  expect(await statusAt('')).toMatchObject({
    phase: 'offline',
    error: {
      detail: `There is no Gemba server at http://127.0.0.1:${port}. The answer (404, text/html) is not from Gemba.`,
    },
  });
  expect((await statusAt('/moved')).error?.detail).toMatch(/\/moved\. It redirects\.$/);

  const nowhere = await openGemba({ ...optionsOf('nowhere'), token: 'gk_1' });
  onTestFinished(() => nowhere.close());
  const shown: unknown[] = [];
  nowhere.status$.subscribe(({ error }) => shown.push(error));
  for (let round = 0; round < 3; round++) await nowhere.sync();
  expect(await firstValueFrom(nowhere.status$)).toMatchObject({ phase: 'offline', error: null });
  expect(shown.every((error) => error === null)).toBe(true);
});
