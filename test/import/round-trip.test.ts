/** An import reads back what an export wrote. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toRunSteps } from '../../shared/domain/run.ts';
import { stepsCsv } from '../../shared/export/csv.ts';
import { awkwardTexts, exportedRun, sourceOf, textOf } from '../export/exported-runs.ts';
import { readFile } from './read-file.ts';

/** Lone surrogates have no UTF-8, and the texts of the API have no NUL. */
const text = (maxLength: number) =>
  fc
    .oneof(fc.string({ unit: 'grapheme', maxLength }), fc.stringMatching(/^'*[=+@-]?["',;\r\n\t a]*$/, { maxLength }))
    .map((one) => Buffer.from(one.replaceAll('\0', '')).toString());
const name = text(60).map((one) => `${one}x`.trim());
const work_type = fc.constantFrom('valuable', 'incidental', 'waste');
const step = fc
  .record({
    stage_name: name,
    duration_secs: fc.double({ min: 0, max: 31_536_000, noNaN: true }),
    duration_estimated: fc.boolean(),
    work_type,
    notes: fc.oneof(text(100), fc.constantFrom(...awkwardTexts.slice(0, -1))),
    photos: fc.array(fc.constant('sha256:00'), { maxLength: 2 }),
  })
  .map((one) => ({ ...one, value_add: one.work_type === 'valuable' }));
const run = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 6 }),
  started_at: fc.date({ min: new Date('0001-01-02'), max: new Date('9990-01-01'), noInvalidDate: true }),
  session: fc.stringMatching(/^[A-Za-z0-9._:-]{1,40}$/),
  mapName: name,
});

test('[IMPORT-14] [EXPORT-15] any runs come back from steps.csv as they were, but for photos', async () => {
  const runs = fc.uniqueArray(run, { minLength: 1, maxLength: 8, selector: ({ session }) => session });
  const property = fc.asyncProperty(runs, fc.boolean(), async (originals, bom) => {
    const exported = originals.map(({ steps, started_at, session, mapName }, index) =>
      exportedRun(
        steps,
        { id: index + 1, started_at: started_at.toISOString(), recording_session_id: session },
        mapName,
      ),
    );
    const { recordings, errors } = await readFile(await textOf(stepsCsv(sourceOf(...exported), { bom })));
    expect(errors.first()).toEqual([]);
    const back = recordings.map(({ key, map, started_at, steps }) => ({ key: key.text, map, started_at, steps }));
    expect(back.map((one) => ({ ...one, steps: toRunSteps(one.steps) }))).toEqual(
      exported.map(({ run: { map_id, started_at, recording_session_id, steps }, mapName }) => ({
        key: recording_session_id,
        map: { id: map_id, name: mapName },
        started_at,
        steps: steps.map((one) => ({ ...one, photos: [] })),
      })),
    );
  });
  const seed = process.env['GEMBA_SEED'];
  await fc.assert(property, { numRuns: 60, ...(seed === undefined ? {} : { seed: Number(seed) }) });
});
