import fc from 'fast-check';
import { expect, test } from 'vitest';
import { problemKinds, problemOf, type ProblemCode } from '../../../shared/protocol/problem.ts';
import type { MutationName } from '../../../shared/schema/mutation.ts';
import { randomIds } from '../../core/ids.ts';
import type { RefusedEntry } from '../model/entry.ts';
import { attentionsOf } from './attention.ts';

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
      const entries = all.map(({ name, args, code }, index): RefusedEntry => {
        const error = { ...problemOf({ code: 'unavailable', detail: 'It failed.' }), code };
        const number = { kind: 'numbered', seq: index + 1 } as const;
        const made = { client_id: randomIds.uuid(), recorded_at: '2026-03-01T08:00:00.000Z' };
        return { ...made, number, name, args, state: 'refused', error, proven_at: null };
      });
      for (const { message } of attentionsOf(entries, () => undefined)) expect(message).toMatch(/\S/);
    }),
  );
});

test('[ATTENTION-14] a mutation whose name an older server does not know can be sent again, and one with wrong args is edited', () => {
  const remediesAt = (name: MutationName, args: Record<string, unknown>, path: string, message = 'is wrong') => {
    const errors = [{ path, message }];
    const error = problemOf({ code: 'validation_failed', detail: 'It failed.', errors });
    const number = { kind: 'numbered', seq: 1 } as const;
    const made = { client_id: randomIds.uuid(), recorded_at: '2026-03-01T08:00:00.000Z' };
    return attentionsOf([{ ...made, number, name, args, state: 'refused', error, proven_at: null }], () => undefined)[0]
      ?.remedies;
  };
  expect(remediesAt('replace_stages', { map_id: 'm', stages: [] }, '/name')).toEqual(['send_again', 'discard']);
  expect(remediesAt('replace_stages', { map_id: 'm', stages: [] }, '/stages')).toEqual(['edit', 'discard']);
  expect(remediesAt('create_map', { map_id: 'm', name: '' }, '/name')).toEqual(['edit', 'discard']);
  const unknownFieldRemedies = remediesAt('upload_recording', { map_id: 'm' }, '/stages', 'unknown field');
  expect(unknownFieldRemedies).toEqual(['send_again', 'edit', 'discard']);
  const unknownName = 'must be one of create_map, update_map';
  expect(remediesAt('update_run', { run_id: 1, name: 'A' }, '/name', unknownName)).toEqual(['send_again', 'discard']);
});

test('[RUN-14] [RUN-18] a refused correction waits for its run on a device that pulls runs, and for the person on one that pulls none', () => {
  const correction: RefusedEntry = {
    client_id: randomIds.uuid(),
    recorded_at: '2026-03-01T08:00:00.000Z',
    number: { kind: 'numbered', seq: 1 },
    name: 'correct_run',
    args: { run_id: 7, steps: [] },
    state: 'refused',
    error: problemOf({ code: 'run_not_found', detail: 'There is no run 7.' }),
    proven_at: null,
  };
  expect(attentionsOf([correction], () => undefined)[0]?.remedies).toEqual(['discard']);
  expect(attentionsOf([correction], undefined)[0]?.remedies).toEqual(['send_again', 'discard']);
});
