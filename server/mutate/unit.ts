import type { MutationName } from '../../shared/schema/mutation.ts';
import type { ReadSet } from '../store/transaction.ts';
import type { WorkingSet } from './working-set.ts';

/** The unit of work of one request: the keys it loads and the decision it makes. */
export interface Unit<Answer> {
  readSet: ReadSet;
  /** Must be pure, since it may run again on another working set. */
  decide(set: WorkingSet, now: string): Answer;
  /** Returns the outcome of each mutation, for the metrics. Called after the transaction is committed. */
  outcomes?(answer: Answer): MutationOutcome[];
}

export interface MutationOutcome {
  /** `unknown` is a mutation that was invalid or not allowed. */
  name: MutationName | 'noop' | 'unknown';
  /** `applied`, or the code of the refusal. */
  code: string;
}
