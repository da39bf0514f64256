import type { MutationName } from '../../shared/schema/mutation.ts';
import type { ReadSet } from '../store/transaction.ts';
import type { WorkingSet } from './working-set.ts';

/** What one request wants to do. */
export interface Unit<Answer> {
  readSet: ReadSet;
  /** Pure: it may run again, on another working set. */
  decide(set: WorkingSet, now: string): Answer;
  /** What became of its mutations, told once the transaction is done. */
  outcomes?(answer: Answer): MutationOutcome[];
}

export interface MutationOutcome {
  /** `unknown` stands for a mutation that is broken or was not allowed. */
  name: MutationName | 'noop' | 'unknown';
  /** `applied`, or that of the refusal. */
  code: string;
}
