/** Refuses mutations that create records once the account's records take as many bytes as the plan allows. */
import type { Plan } from '../../shared/schema/account.ts';
import type { MutationName } from '../../shared/schema/mutation.ts';
import type { RefusedRequest } from '../core/reply.ts';
import { bytesPerMiB } from '../store/account-limits.ts';

interface StorageUse {
  bytes: number;
  bytesMax: number;
  plan: Plan;
}

export function storageRefusal(name: MutationName, { bytes, bytesMax, plan }: StorageUse): RefusedRequest | undefined {
  if (!takesStorage[name] || bytes < bytesMax) return undefined;
  const detail = `The ${plan} plan stores ${Math.round(bytesMax / bytesPerMiB)} MiB, and all are taken. Delete runs, or change the plan.`;
  return {
    ok: false,
    error: { code: 'storage_limit_reached', detail, members: { limit_bytes: bytesMax, plan } },
  };
}

/**
 * At the limit, an account may still update and delete records, which may free space. A corrected run has its recorded
 * steps and up to 1,000 corrected steps, so a correction counts as a new record.
 */
const takesStorage: Record<MutationName, boolean> = {
  create_map: true,
  update_map: false,
  delete_map: false,
  restore_map: false,
  add_stage: true,
  update_stage: false,
  delete_stage: false,
  reorder_stages: false,
  replace_stages: true,
  upload_recording: true,
  record_new_map: true,
  update_run: false,
  correct_run: true,
  delete_run: false,
};
