import type { AppliedMutationRow } from '../transaction.ts';

export interface AppliedMutationColumns extends Omit<AppliedMutationRow, 'result'> {
  /** JSON text. */
  result: string;
}

export const parseAppliedMutation = ({ result, ...columns }: AppliedMutationColumns): AppliedMutationRow => ({
  ...columns,
  result: JSON.parse(result),
});

export const toAppliedMutationColumns = ({ result, ...columns }: AppliedMutationRow): AppliedMutationColumns => ({
  ...columns,
  result: JSON.stringify(result),
});
