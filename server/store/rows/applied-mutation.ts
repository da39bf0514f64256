import type { AppliedMutation } from '../transaction.ts';

export interface AppliedMutationColumns extends Omit<AppliedMutation, 'result'> {
  /** JSON text. */
  result: string;
}

export const appliedMutation = ({ result, ...columns }: AppliedMutationColumns): AppliedMutation => ({
  ...columns,
  result: JSON.parse(result),
});

export const appliedMutationColumns = ({ result, ...columns }: AppliedMutation): AppliedMutationColumns => ({
  ...columns,
  result: JSON.stringify(result),
});
