/** A device opens whatever rows it finds. */
import { expect, test } from 'vitest';
import type { Mirror } from '../../../client/client.ts';
import type { TapBody } from '../../../client/storage/rows.ts';
import { withChecksum, type UnsentFile } from '../../../client/transfer/unsent-file.ts';
import { inDatabase } from '../../device/databases.ts';
import { current, device, memoryStorage, network, manualSync } from '../../device/devices.ts';
import { folderJournal } from '../../device/disk-journal.ts';
import { newFolder } from '../../device/folder-journal.ts';

const offline = { url: 'http://127.0.0.1:9', ...manualSync(network(false)) };

test.each<[how: string, exists: Mirror['exists']]>([
  ['fails', () => Promise.reject(new DOMException('broken', 'UnknownError'))],
  ['hangs', () => new Promise(() => {})],
])('[STORAGE-58] a device whose database is there opens, also when its second copy %s', async (how, exists) => {
  const mirror = folderJournal(newFolder());
  const options = { ...offline, name: `device-whose-copy-${how}` };
  const before = await device({ ...options, mirror });
  const { map_id } = await before.createMap({ name: 'Saw' });
  await before.close();

  const schedule = (ms: number, call: () => void) => {
    if (ms === secondCopyMsMax) queueMicrotask(call);
    return () => {};
  };
  const after = await device({ ...options, mirror: { ...mirror, exists }, clock: { schedule } });
  expect(await current(after.status$)).toMatchObject({ second_copy: 'behind', pending: 1 });
  expect(await current(after.map$(map_id))).toMatchObject({ name: 'Saw' });
});

/** The device waits this long for the journal. */
const secondCopyMsMax = 5_000;

/** An event that only a newer version of the app knows. */
const measured = ({ at }: TapBody): TapBody => ({ kind: 'measured', at }) as unknown as TapBody;

test('[STORAGE-59] a tap of a kind that only a newer app knows does not keep an older one from opening, and stays', async () => {
  const options = { ...offline, name: 'device-with-a-newer-tap' };
  const before = await device(options);
  const recording = await before.startRecording({ newMap: { name: 'Saw' } });
  await recording.step({ stage_name: 'load' });
  await before.close();
  await inDatabase(options.name, async ({ drafts }) => {
    const [id, body] = [...drafts.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).at(-1)!;
    await drafts.write([{ id: id.replace(/1$/, '2'), body: measured(body) }]);
  });

  const after = await device(options);
  await (await current(after.recording$))!.step({ stage_name: 'cut' });
  expect((await current(after.recording$))?.steps.map(({ stage_name }) => stage_name)).toEqual(['load', 'cut']);
  await after.close();
  await inDatabase(options.name, async ({ drafts }) => {
    const kinds = [...drafts.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, { kind }]) => kind);
    expect(kinds).toEqual(['started', 'stepped', 'measured', 'stepped']);
  });
});

test('[TRANSFER-5] a file with taps that cannot be is refused, and the device opens again', async () => {
  const old = await device(offline);
  const recording = await old.startRecording({ newMap: { name: 'Saw' } });
  await recording.step({ stage_name: 'load' });
  const { checksum: _checksum, ...work } = await old.exportUnsent();
  const [started, stepped] = work.draft as [TapBody, TapBody];
  const options = { ...offline, name: 'device-that-takes-no-nonsense', storage: memoryStorage() };
  const fresh = await device(options);
  for (const odd of [
    measured(started),
    started,
    { kind: 'stepped', at: started.at },
    { ...stepped, at: {} },
    { kind: 'noted', at: started.at },
  ]) {
    const file: UnsentFile = await withChecksum({ ...work, draft: [...work.draft, odd as TapBody] });
    await expect(fresh.importUnsent(file)).rejects.toMatchObject({ code: 'unsent_file_invalid' });
  }
  const headless = await withChecksum({ ...work, draft: [stepped] });
  await expect(fresh.importUnsent(headless)).rejects.toMatchObject({ code: 'unsent_file_invalid' });
  await fresh.close();
  expect(await current((await device(options)).recording$)).toBeNull();
});

test('[DEVICE-10] who pairs a device that was closed is told that it was', async () => {
  const phone = await device(offline);
  await phone.close();
  await expect(phone.pair('AAAA-AAAA', 'Phone')).rejects.toMatchObject({ code: 'closed' });
  await expect(phone.devices()).rejects.toMatchObject({ code: 'closed' });
});
