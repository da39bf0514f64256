import type { EquivalentChanges } from './changes.ts';

export const equivalentInOutbox: EquivalentChanges = {
  'client/outbox/model/chain.ts': [
    ['known', 'false', 'The cache saves time alone.'],
    ['known?.before === before', 'false', 'The cache saves time alone.'],
    ['{ before, after }', '{}', 'The cache saves time alone.'],
    [
      'proven_seq === undefined',
      'false',
      'No count of entries equals a difference to undefined, so that the last line returns undefined.',
    ],
  ],
  'client/outbox/model/dependents/new-ids.ts': [
    ['!mutation', 'false', 'Each mutation that creates a record can have new ids. The types want the question.'],
    ['!first', 'false', 'One mutation is made of one. The types want the question.'],
    ['default: return undefined;', 'default:', 'A function that ends returns undefined.'],
  ],
  'client/outbox/model/dependents/replacement.ts': [
    [
      'numberOf(entry) > numberOf(refused)',
      'numberOf(entry) >= numberOf(refused)',
      'A mutation refers to no record that it creates, and no other has its number.',
    ],
  ],
  'client/outbox/model/dependents/returned-runs.ts': [
    ["name === 'tags'", 'true', 'A list is no other field of a run, with and without its repetitions.'],
  ],
  'client/outbox/model/discarding.ts': [
    ['discarded_at === undefined', 'false', 'No time is parsed from undefined either, and 0 stands for that.'],
  ],
  'client/outbox/model/entry.ts': [
    ["payload.kind === 'noop'", 'true', 'Only a noop has the field `because`. The types want the question.'],
  ],
  'client/outbox/model/parse-entry.ts': [
    [
      "case 'refused': return { ...fields, state, number, error: error ?? outcomeUnknownProblem, proven_at };",
      "case 'refused':",
      'The case below does the same with a row that has no time of a discard, which no refused row has.',
    ],
    ['!args', 'false', 'Only args of a newer version are not upcast, and the line above has returned for these.'],
  ],
  'client/outbox/model/sequence/fork.ts': [
    ['entry.seq > lastSeq', 'entry.seq >= lastSeq', 'The last number is one of the other numbers already.'],
  ],
  'client/outbox/model/sequence/numbering.ts': [
    [
      "case 'pending': return { ...entry, ...numbered, payload: renumberedPayload(entry) };",
      "case 'pending':",
      'The case below leaves out two fields that a pending entry has not.',
    ],
    ['origin === undefined', 'false', 'The called function takes undefined as absent. The types want the question.'],
  ],
  'client/outbox/model/settling/apply-pull.ts': [
    ['() => false', '() => undefined', 'Both answers mean that the server has no such record.'],
  ],
};
