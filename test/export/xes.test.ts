import { expect, test } from 'vitest';
import { exportedRun, sourceOf, textOf } from './exported-runs.ts';
import { xesLog } from '../../shared/export/xes.ts';

test('[EXPORT-21] a step is one event, whose time is its end', async () => {
  const log = await textOf(xesLog(sourceOf(exportedRun([{ duration_secs: 12.5, notes: 'a "b"\n' }]))));
  expect(eventsOf(log)).toEqual([
    [
      '<string key="concept:name" value="Drill"/>',
      '<string key="concept:instance" value="7-1"/>',
      '<string key="org:resource" value="4d7f0a92-1c3e-4b8a-9e65-8a2c7d5f1b30"/>',
      '<string key="lifecycle:transition" value="complete"/>',
      '<date key="time:timestamp" value="2026-07-01T08:00:12.500Z"/>',
      '<date key="start_timestamp" value="2026-07-01T08:00:00.000Z"/>',
      '<string key="work_type" value="valuable"/>',
      '<boolean key="value_add" value="true"/>',
      '<float key="duration_secs" value="12.5"/>',
      '<boolean key="duration_estimated" value="false"/>',
      '<string key="notes" value="a &quot;b&quot;&#10;"/>',
    ],
  ]);
  expect(log).toContain('<classifier name="Stage" keys="concept:name"/>');
});

test('[EXPORT-22] a trace is named by its run, and says if its start is assumed', async () => {
  const runs = [exportedRun([{}]), exportedRun([{}], { id: 8, number: 2, started_at: null, device_id: null })];
  const log = await textOf(xesLog(sourceOf(...runs)));
  const [first, second] = log.split('<trace>\n').slice(1);
  expect(first!.split('<event>')[0]!.trim().split('\n')).toEqual([
    '<string key="concept:name" value="7"/>',
    '<int key="number" value="1"/>',
    '<string key="map_id" value="018f9e4a-2b6c-7d31-8a55-3c1f0e9d7b42"/>',
    '<string key="map_name" value="Assembly"/>',
    '<string key="recording_session_id" value="walk-1"/>',
  ]);
  expect(second).toContain('<boolean key="start_assumed" value="true"/>');
  expect(second).not.toContain('org:resource');
});

test('[EXPORT-41] a trace that is left out of statistics says so', async () => {
  const runs = [exportedRun([{}], { excluded: { reason: 'broken' } }), exportedRun([{}], { id: 8 })];
  const [first, second] = (await textOf(xesLog(sourceOf(...runs)))).split('<trace>\n').slice(1);
  expect(first).toContain('<boolean key="excluded" value="true"/>');
  expect(second).not.toContain('"excluded"');
});

test('[EXPORT-23] characters that XML has no form for are dropped, and their count stands beside the text', async () => {
  const runs = [exportedRun([{ notes: 'a\u0000\u001fb\ud800c\ufffe😀' }, { notes: 'whole\r\n\t' }], {}, 'x\u0007')];
  const log = await textOf(xesLog(sourceOf(...runs)));
  const [first, second] = eventsOf(log);
  expect(first!.slice(-2)).toEqual([
    '<string key="notes" value="abc😀"/>',
    '<int key="characters_dropped" value="4"/>',
  ]);
  expect(second!.at(-1)).toBe('<string key="notes" value="whole&#13;&#10;&#9;"/>');
  expect(log.split('<event>')[0]).toContain('<int key="characters_dropped" value="1"/>');
});

test('[EXPORT-24] `pairs` writes two events for each step, and its duration once', async () => {
  const log = await textOf(xesLog(sourceOf(exportedRun([{}, {}])), { lifecycle: 'pairs' }));
  const facts = eventsOf(log).map((event) => [
    event.some((field) => field.includes('value="start"')),
    /T([^Z]*)Z/.exec(event.find((field) => field.includes('time:timestamp'))!)![1],
    event.some((field) => field.includes('duration_secs')),
  ]);
  expect(facts).toEqual([
    [true, '08:00:00.000', false],
    [false, '08:00:10.000', true],
    [true, '08:00:10.000', false],
    [false, '08:00:20.000', true],
  ]);
  expect(log).not.toContain('start_timestamp');
});

const eventsOf = (log: string): string[][] =>
  [...log.matchAll(/<event>\n([^]*?)\n<\/event>/g)].map(([, fields]) => fields!.split('\n'));
