import { GembaError } from '../../../core/errors.ts';
import type { DeviceBody } from '../../../storage/rows.ts';

/** Throws `account_mismatch` if both accounts are known and differ. */
export function requireSameAccount(device: DeviceBody, account_id: string | undefined): void {
  if (device.account_id === undefined || account_id === undefined || device.account_id === account_id) return;
  const detail =
    'This device holds the work of another account: use it with that account, or open the other one under another name.';
  throw new GembaError({ code: 'account_mismatch', detail });
}
