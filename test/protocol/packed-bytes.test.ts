import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkProperty } from '../domain/check-property.ts';
import { runOf, toRunSteps } from '../../shared/domain/run.ts';
import { packBody } from '../../shared/packed/pack.ts';

test('[PACKED-5] a packed page of 500 runs of 12 random steps has at most 45 kB', () => {
  const step = fc.record({
    ms: fc.noBias(fc.integer({ min: 1, max: 9_999_999 })),
    note: fc.integer({ min: 10, max: 99 }),
  });
  const run = fc.record({
    id: fc.noBias(fc.integer({ min: 2 ** 31, max: 2 ** 47 })),
    session: fc.noBias(fc.uuid({ version: 4 })),
    steps: fc.array(step, { minLength: 12, maxLength: 12 }),
  });
  const property = fc.property(fc.array(run, { minLength: 500, maxLength: 500 }), (runs) => {
    const changes = runs.map(({ id, session, steps }, index) => {
      const header = { id, mapId: 'm', number: index + 1, recordingSessionId: session, deviceId: null };
      const recorded = steps.map(({ ms, note }, order) => ({
        stage_name: `Step ${order}`,
        order,
        duration_secs: ms / 1000,
        notes: `Resource${note}`,
      }));
      const start = { started_at: '2026-04-01T09:30:00.000Z' };
      const doc = runOf({ ...header, start, createdAt: '2026-04-01T09:31:00.000Z' }, toRunSteps(recorded));
      return { kind: 'run', id, version: index, deleted: false, doc: { ...doc, version: index } };
    });
    expect(gzipSync(JSON.stringify(packBody({ changes })), { level: 3 }).length).toBeLessThanOrEqual(45_000);
  });
  checkProperty(property, { examples: 3 });
});
