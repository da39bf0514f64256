/** Files that programs of others write. */
import { writeFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { stepsCsv } from '../../shared/export/csv.ts';
import { exportedRun, sourceOf, textOf } from '../export/exported-runs.ts';
import { pandasAtHand, runPython } from '../export/real-readers.ts';
import { planOf, readFile } from './read-file.ts';

describe.skipIf(!pandasAtHand())('pandas', () => {
  test('[IMPORT-24] an own export that pandas read and wrote is imported as the same runs', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gemba-import-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const exported = [
      exportedRun([
        { notes: 'one\r\ntwo, "three"', duration_secs: 0.1 + 0.2 },
        { stage_name: '=Weld', notes: '' },
      ]),
      exportedRun([{ duration_estimated: true, value_add: false, work_type: 'waste' }], {
        id: 8,
        recording_session_id: 'walk-2',
        device_id: null,
      }),
    ];
    const text = await textOf(stepsCsv(sourceOf(...exported)));
    await writeFile(join(folder, 'steps.csv'), text);
    const written = runPython(
      `import sys, json, pandas
table = pandas.read_csv(sys.argv[1], float_precision='round_trip')
for column in ['order', 'run_number', 'run_id']: table[column] = table[column].astype(float)
for column in ['started_at', 'ended_at']: table[column] = pandas.to_datetime(table[column])
print(json.dumps([table.to_csv(), table.to_csv(sep=';', decimal=',', quoting=1)]))`,
      join(folder, 'steps.csv'),
    ) as string[];
    const { recordings: originals } = await readFile(text);
    for (const file of written) {
      const { recordings, ignoredColumns, errors } = await readFile(file);
      expect(errors.first()).toEqual([]);
      expect(recordings).toEqual(originals.map((original) => ({ ...original, line: expect.any(Number) })));
      expect(ignoredColumns).toEqual(['column 1', 'device_id', 'photos']);
    }
  });

  test('[IMPORT-24] a table of cases and their activities with a start and an end is imported', async () => {
    const file = runPython(
      `import json, pandas
start = pandas.to_datetime(['2026-07-01T08:00:00Z', '2026-07-01T08:01:05.5Z', '2026-07-01T09:00:00Z'])
table = pandas.DataFrame({'case:concept:name': [1, 1, 2], 'concept:name': ['Pick', 'Pack', 'Pick'], 'map_name': 'Orders',
  'start_timestamp': start, 'time:timestamp': start + pandas.Timedelta(seconds=60)})
print(json.dumps(table.to_csv()))`,
    ) as string;
    const { report, uploads } = await planOf(file, { createMaps: true });
    expect(report).toMatchObject({ new: 2, steps: 3, errors: [], ignored_columns: ['column 1'] });
    expect(uploads[0]).toMatchObject({
      started_at: '2026-07-01T08:00:00.000Z',
      steps: [
        { stage_name: 'Pick', order: 1, duration_secs: 60 },
        { stage_name: 'Pack', order: 2, duration_secs: 60 },
      ],
    });
  });
});
