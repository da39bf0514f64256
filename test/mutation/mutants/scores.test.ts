import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import {
  goneMutants,
  linesOfSurvivors,
  scoresDocument,
  scoresIn,
  withFilesWithoutChanges,
  withNoticed,
  type Report,
  type Survivor,
} from './scores.ts';

const root = resolve(import.meta.dirname, '../../..');
const at = (line: number, from: number, to: number) => ({
  start: { line, column: from },
  end: { line, column: to },
});
const report: Report = {
  files: {
    'a.ts': {
      source: 'const a = 1;\nif (a > 0) keep();\n',
      mutants: [
        { status: 'Killed', replacement: 'false', location: at(2, 5, 10) },
        { status: 'Timeout', replacement: 'true', location: at(2, 5, 10) },
        { status: 'Survived', replacement: 'a >= 0', location: at(2, 5, 10) },
        { status: 'NoCoverage', replacement: '', location: at(2, 12, 18) },
        { status: 'Ignored', replacement: '2', location: at(1, 11, 12) },
      ],
    },
  },
};
const survivors: Survivor[] = [
  { lines: [2, 2], column: 5, from: 'a > 0', to: 'a >= 0' },
  { lines: [2, 2], column: 12, from: 'keep()', to: '' },
];

test('[FAULT-4] a change counts as noticed, not noticed or left out, and the page names what nothing noticed', async () => {
  const scores = scoresIn(report);
  expect(scores).toEqual({ 'a.ts': { changes: 4, noticed: 2, leftOut: 1, survivors } });
  expect(linesOfSurvivors(scores)).toEqual(['a.ts:2-2', 'a.ts:2-2']);
  const page = await scoresDocument(scores, ['a.ts', 'b.ts']);
  expect(page).toContain('Of 4 changes in 1 of 2 files the tests noticed 2 (50.0 %)');
  expect(page).toContain('line 2: `a > 0` → `a >= 0`');
  expect(page).toMatch(/Not run: \[b\.ts\]/);
});

test('[FAULT-4] a file that has nothing to change counts as run', async () => {
  const scores = withFilesWithoutChanges(scoresIn(report), ['a.ts', 'types.ts']);
  expect(scores).toEqual({ ...scoresIn(report), 'types.ts': { changes: 0, noticed: 0, leftOut: 0, survivors: [] } });
  expect(await scoresDocument(scores, ['a.ts', 'types.ts'])).toContain('All files were run.');
});

test('[FAULT-4] a run of the survivors alone counts those that are noticed now', () => {
  const known = scoresIn(report);
  const again = { 'a.ts': { changes: 2, noticed: 1, leftOut: 0, survivors: known['a.ts']!.survivors.slice(1) } };
  expect(withNoticed(known, again)['a.ts']).toMatchObject({ changes: 4, noticed: 3, survivors: survivors.slice(1) });
  expect(withNoticed(known, {})).toEqual(known);

  const file = 'shared/domain/apply-stage.ts';
  const explained = {
    lines: [63, 63] satisfies [number, number],
    column: 7,
    from: 'repeated >= 0',
    to: 'repeated > 0',
  };
  const stages = { [file]: { changes: 2, noticed: 0, leftOut: 0, survivors: [explained, survivors[0]!] } };
  expect(linesOfSurvivors(stages)).toEqual([`${file}:2-2`]);
  const rerun = { [file]: { changes: 1, noticed: 1, leftOut: 0, survivors: [] } };
  expect(withNoticed(stages, rerun)[file]).toMatchObject({ changes: 2, noticed: 1, survivors: [explained] });
});

test('[FAULT-5] each change that is said to change nothing stands in the code', () => {
  expect(goneMutants((path) => readFileSync(join(root, path), 'utf8'))).toEqual([]);
  expect(goneMutants(() => '').length).toBeGreaterThan(0);
});
