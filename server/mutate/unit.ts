import type { MutationName } from '../../shared/schema/mutation.ts';
import type { ReadSet } from '../store/transaction.ts';
import type { WorkingSet } from './working-set/working-set.ts';

/** The unit of work of one request: the keys to load and the decision to make. */
export interface UnitOfWork<Result> {
  readSet: ReadSet;
  /** May change nothing but `set`, since the queue may call `run` again with another working set after a failure. */
  run(set: WorkingSet, now: string): Result;
  /** Returns each mutation's name and outcome, for the metrics. Runs after the commit. */
  countedMutations?(result: Result): CountedMutation[];
}

export interface CountedMutation {
  /** `unknown` stands for a mutation that is invalid or not allowed. */
  name: MutationName | 'noop' | 'unknown';
  /** `applied`, or the code of the refusal. */
  code: string;
}
