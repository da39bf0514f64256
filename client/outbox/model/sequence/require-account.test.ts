import { expect, test } from 'vitest';
import { randomIds } from '../../../core/ids.ts';
import { newDevice } from '../device.ts';
import { requireSameAccount } from './require-account.ts';

test('[ACCOUNT-5] a device refuses the work of another account, and takes that of its own or of an unknown one', () => {
  const device = newDevice(randomIds);
  const owned = { ...device, account_id: 'mine' };
  requireSameAccount(device, undefined);
  requireSameAccount(device, 'theirs');
  requireSameAccount(owned, undefined);
  requireSameAccount(owned, 'mine');
  expect(() => requireSameAccount(owned, 'theirs')).toThrow(
    expect.objectContaining({
      code: 'account_mismatch',
      message: expect.stringContaining('This device holds the work of another account:'),
    }),
  );
});
