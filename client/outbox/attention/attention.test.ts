import fc from 'fast-check';
import { expect, test } from 'vitest';
import { problemKinds, problemOf, type ProblemCode } from '../../../shared/protocol/problem.ts';
import type { MutationName } from '../../../shared/schema/mutation.ts';
import { randomIds } from '../../core/ids.ts';
import type { RefusedBody } from './attention.ts';
import { attentionsOf } from './resolve.ts';

const names: MutationName[] = ['create_map', 'add_stage', 'reorder_stages', 'upload_recording', 'record_new_map'];
const fields = ['map_id', 'stage_id', 'stage_ids', 'run_id', 'steps', 'name', 'stage', 'recording_session_id'];
const anything = fc.anything({ withNullPrototype: true, withBigInt: true });

test('[TRANSFER-22] what is refused is shown and told apart whatever its args are', () => {
  const refused = fc.record({
    name: fc.constantFrom(...names, 'a_newer_name' as MutationName),
    args: fc.dictionary(fc.constantFrom(...fields), anything),
    code: fc.constantFrom(...(Object.keys(problemKinds) as ProblemCode[]), 'valueOf' as ProblemCode),
  });
  fc.assert(
    fc.property(fc.array(refused, { maxLength: 4 }), (all) => {
      const bodies = all.map(({ name, args, code }, index): RefusedBody => {
        const error = { ...problemOf({ code: 'unavailable', detail: 'It failed.' }), code };
        const made = { client_id: randomIds.uuid(), seq: index + 1, recorded_at: '2026-03-01T08:00:00.000Z' };
        return { kind: 'mutation', ...made, name, args, state: 'refused', error, acknowledged_at: null };
      });
      for (const { message } of attentionsOf(bodies)) expect(message).toMatch(/\S/);
    }),
  );
});
