import { expect, test } from 'vitest';
import { fileNameOf } from './file-name.ts';

const day = new Date(2026, 6, 14, 23, 59);
const nameOf = (mapName: string, run?: string) => fileNameOf({ mapName, run, day, format: 'log.ocel.json' });

test('[APP-595] a file is named by its map, its run, the day and the format', () => {
  expect(nameOf('Saw / Süd: "A"', 'run 7')).toBe('Saw Süd A run 7 2026-07-14 log.ocel.json');
  expect(nameOf('Saw')).toBe('Saw 2026-07-14 log.ocel.json');
  expect(nameOf('... .gitignore ?')).toBe('gitignore 2026-07-14 log.ocel.json');
  expect(nameOf('//', 'run 7')).toBe('run 7 2026-07-14 log.ocel.json');
  expect(nameOf('..')).toBe('2026-07-14 log.ocel.json');
});

test('[APP-595] a long name of a map leaves the run in the name of the file, and no gap', () => {
  expect(nameOf('m'.repeat(200), 'run 1234567')).toBe(`${'m'.repeat(60)} run 1234567 2026-07-14 log.ocel.json`);
  expect(nameOf(`${'m'.repeat(59)} line`)).toBe(`${'m'.repeat(59)} 2026-07-14 log.ocel.json`);
});

test('[APP-595] a name of emoji stays within the 255 bytes of file systems, and none is cut through', () => {
  const name = nameOf('🏭'.repeat(60), 'Durchlauf 1234567');
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
  expect(name).toMatch(/^(?:🏭){40,60} Durchlauf 1234567 2026-07-14 log\.ocel\.json$/u);
});
