import { expect, test } from 'vitest';
import { exportedRun, sourceOf, textOf } from './exported-runs.ts';
import { ocelJson } from '../../shared/export/ocel.ts';

interface Attribute {
  name: string;
  value: string;
}
interface LogElement {
  id: string;
  type: string;
  attributes: Attribute[];
  relationships: { objectId: string; qualifier: string }[];
}
interface Log {
  eventTypes: { name: string; attributes: { name: string }[] }[];
  objectTypes: { name: string; attributes: { name: string }[] }[];
  events: (LogElement & { time: string })[];
  objects: LogElement[];
}

const logOf = async (...runs: ReturnType<typeof exportedRun>[]): Promise<Log> =>
  JSON.parse(await textOf(ocelJson(sourceOf(...runs)))) as Log;

test('[EXPORT-26] a step is an event of its run, its map and its device, at its end', async () => {
  const log = await logOf(
    exportedRun([{ duration_secs: 2 }, { stage_name: 'Test' }]),
    exportedRun([{}], { id: 8, device_id: null }),
  );
  expect(log.events.map(({ id, type, time, relationships }) => [id, type, time, relationships.length])).toEqual([
    ['run:7/1', 'Drill', '2026-07-01T08:00:02.000Z', 3],
    ['run:7/2', 'Test', '2026-07-01T08:00:12.000Z', 3],
    ['run:8/1', 'Drill', '2026-07-01T08:00:10.000Z', 2],
  ]);
  const map = 'map:018f9e4a-2b6c-7d31-8a55-3c1f0e9d7b42';
  const device = 'device:4d7f0a92-1c3e-4b8a-9e65-8a2c7d5f1b30';
  expect(log.events[0]!.relationships).toEqual([
    { objectId: 'run:7', qualifier: 'step of' },
    { objectId: map, qualifier: 'stage of' },
    { objectId: device, qualifier: 'recorded by' },
  ]);
  expect(log.objects.map(({ id, relationships }) => [id, relationships])).toEqual([
    [map, []],
    ['run:7', [{ objectId: map, qualifier: 'observes' }]],
    [device, []],
    ['run:8', [{ objectId: map, qualifier: 'observes' }]],
  ]);
});

test('[EXPORT-27] each type declares all attributes of its events or objects, and each value is text', async () => {
  const log = await logOf(exportedRun([{ notes: 'n' }, { stage_name: 'constructor' }], { started_at: null }));
  const declared = new Map([...log.eventTypes, ...log.objectTypes].map((type) => [type.name, type.attributes]));
  for (const { type, attributes } of [...log.events, ...log.objects]) {
    expect(declared.get(type)!.map(({ name }) => name)).toEqual(attributes.map(({ name }) => name));
    for (const { value } of attributes) expect(value).toBeTypeOf('string');
  }
  expect(log.objectTypes.map(({ name }) => name)).toEqual(['map', 'run', 'device']);
  expect(log.objects.find(({ id }) => id === 'run:7')!.attributes).toContainEqual(
    expect.objectContaining({ name: 'start_assumed', value: 'true' }),
  );
});

test('[EXPORT-41] a run that is left out of statistics says so', async () => {
  const log = await logOf(exportedRun([{}], { excluded: { reason: 'broken' } }), exportedRun([{}], { id: 8 }));
  const excluded = log.objects
    .filter(({ type }) => type === 'run')
    .map(({ attributes }) => attributes.find(({ name }) => name === 'excluded')?.value);
  expect(excluded).toEqual(['true', 'false']);
});
