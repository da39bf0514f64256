/** Runs to export, with all that makes a format stumble. */
import type { ExportedRun, RunSource } from '../../shared/export/exported-run.ts';
import type { RunDoc, RunStep } from '../../shared/schema/run.ts';

export const step = (fields: Partial<RunStep> = {}): RunStep => ({
  stage_name: 'Drill',
  order: 1,
  duration_secs: 10,
  duration_estimated: false,
  work_type: 'valuable',
  value_add: true,
  notes: '',
  photos: [],
  ...fields,
});

/** A run whose steps get the orders 1, 2, 3... */
export function exportedRun(
  steps: Partial<RunStep>[],
  fields: Partial<RunDoc> = {},
  mapName = 'Assembly',
): ExportedRun {
  const all = steps.map((one, index) => step({ order: index + 1, ...one }));
  const total_time_secs = all.reduce((sum, { duration_secs }) => sum + duration_secs, 0);
  const run: RunDoc = {
    id: 7,
    map_id: '018f9e4a-2b6c-7d31-8a55-3c1f0e9d7b42',
    number: 1,
    recording_session_id: 'walk-1',
    device_id: '4d7f0a92-1c3e-4b8a-9e65-8a2c7d5f1b30',
    started_at: '2026-07-01T08:00:00.000Z',
    created_at: '2026-07-01T09:00:00.000Z',
    version: 3,
    total_time_secs,
    value_add_time_secs: total_time_secs,
    pce: 1,
    step_count: all.length,
    steps: all,
    ...fields,
  };
  return { run, mapName };
}

export const sourceOf = (...runs: ExportedRun[]): RunSource =>
  async function* () {
    yield* runs;
  };

export async function textOf(pieces: AsyncIterable<string | Uint8Array>): Promise<string> {
  return String(await bytesOf(pieces));
}

export async function bytesOf(pieces: AsyncIterable<string | Uint8Array>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const piece of pieces) parts.push(Buffer.from(piece));
  return Buffer.concat(parts);
}

/** All control characters, what begins a formula, what formats escape, and characters of more than one unit. */
export const awkwardTexts = [
  "=cmd|' /C calc'!A0",
  '+1',
  '-1',
  '@SUM(A1)',
  '\ttab',
  '\rreturn',
  '＝1',
  '＋1',
  '－1',
  '＠x',
  'a,b;c "d" \'e\'',
  'one\r\ntwo\nthree\rfour',
  '<b>&amp;</b> ]]>',
  '_x0041_ \\',
  'constructor',
  '__proto__',
  '😀 漢字 e\u0301 \u202e\u2028',
  Array.from({ length: 32 }, (_, code) => String.fromCharCode(code))
    .slice(1)
    .join(''),
  'lone \ud800 surrogate, \ufffe and \uffff',
];
