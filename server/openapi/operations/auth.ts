import { Page } from '../../../shared/schema/answers.ts';
import {
  ApiKey,
  Device,
  NewApiKeyResult,
  Paired,
  PairingCode,
  PairingCodeAccount,
  RevokedApiKey,
  RevokedDevice,
} from '../../../shared/schema/auth.ts';
import { deviceId, exampleCode, keyId } from '../example-ids.ts';
import { paging, type Resource } from '../notes.ts';

export const auth: Resource = {
  tag: 'Access',
  description:
    'Tokens are API keys of an account, or belong to a device that was paired with a code. Only their hashes are stored: a token is shown once, in the answer that makes it.',
  operations: {
    'POST /api/v1/auth/pairing-code': {
      operationId: 'createPairingCode',
      summary: 'Make a pairing code',
      description:
        'Makes a code of 8 characters that pairs one device of that kind, once, within 10 minutes. An account may have 100 that no device used.',
      answer: { status: 201, description: 'The code.', schema: PairingCode },
      codes: ['pairing_code_limit_reached'],
      idempotency: 'key',
      examples: { wearable: { summary: 'For a watch', body: { device_kind: 'wearable' } } },
    },

    'POST /api/v1/auth/pairing-code/account': {
      operationId: 'askPairingCodeAccount',
      summary: 'Ask whose account a pairing code joins',
      description:
        'Tells the account before a device is paired. The code still works afterwards. Failures count together with those of pairing.',
      answer: { status: 200, description: 'The account.', schema: PairingCodeAccount },
      codes: ['pairing_code_invalid'],
      examples: { watch: { summary: 'A watch', body: { code: exampleCode, device_kind: 'wearable' } } },
    },

    'POST /api/v1/auth/pair': {
      operationId: 'pairDevice',
      summary: 'Pair a device',
      description:
        'Exchanges a code for a token. A wrong, used or expired code is the same 401. If the answer was lost, the same code with the same `device_id` gives a fresh token and revokes the first. At most 10 failures a minute are taken from an address. With `account_id`, a code of another account is refused and stays unused.',
      answer: { status: 201, description: 'The token of the device.', schema: Paired },
      codes: ['pairing_code_invalid', 'account_mismatch', 'seat_limit_reached'],
      examples: {
        watch: {
          summary: 'A watch',
          body: { code: exampleCode, device_id: deviceId, device_name: "Mara's watch", device_kind: 'wearable' },
        },
      },
    },

    'GET /api/v1/devices': {
      operationId: 'listDevices',
      summary: 'List devices',
      description: 'The devices that were paired with the account, newest first.',
      query: paging,
      answer: { status: 200, description: 'A page of devices.', schema: Page(Device), headers: ['Link'] },
      examples: { plain: { summary: 'All devices' } },
    },

    'PATCH /api/v1/devices/:device_id': {
      operationId: 'updateDevice',
      summary: 'Rename a device',
      description: 'Its name is for people. The device brings another one when it is paired again.',
      answer: { status: 200, description: 'The device.', schema: Device },
      codes: ['device_not_found'],
      idempotency: 'key',
      examples: {
        rename: { summary: 'A watch that moved', path: { device_id: deviceId }, body: { name: 'Watch of hall 3' } },
      },
    },

    'POST /api/v1/devices/:device_id/revoke': {
      operationId: 'revokeDevice',
      summary: 'Revoke a device',
      description:
        'Its token works no longer, nor do its pairing codes and, unless `revoke_created` is false, the keys that it made. The last key with the scope `admin` stays. What it had recorded and synced stays. Doing it again changes nothing.',
      answer: { status: 200, description: 'The device, revoked.', schema: RevokedDevice },
      codes: ['device_not_found'],
      idempotency: 'key',
      examples: { plain: { summary: 'A lost watch', path: { device_id: deviceId } } },
    },

    'GET /api/v1/keys': {
      operationId: 'listKeys',
      summary: 'List API keys',
      description: 'The API keys of the account, newest first, by their last four characters.',
      query: paging,
      answer: { status: 200, description: 'A page of keys.', schema: Page(ApiKey), headers: ['Link'] },
      examples: { plain: { summary: 'All keys' } },
    },

    'POST /api/v1/keys': {
      operationId: 'createKey',
      summary: 'Make an API key',
      description:
        'To rotate a key, make another one, use it everywhere, then revoke the old one. An account may have 100 keys that are not revoked.',
      answer: { status: 201, description: 'The key with its secret.', schema: NewApiKeyResult },
      codes: ['key_limit_reached'],
      idempotency: 'key',
      examples: { reader: { summary: 'A key that only reads', body: { name: 'Dashboard', scopes: ['read'] } } },
    },

    'POST /api/v1/keys/:id/revoke': {
      operationId: 'revokeKey',
      summary: 'Revoke an API key',
      description:
        'The key works no longer, nor do its pairing codes. The keys that it made stay unless `revoke_created` is true. Doing it again changes nothing.',
      answer: { status: 200, description: 'The key, revoked.', schema: RevokedApiKey },
      codes: ['key_not_found', 'last_admin_key'],
      idempotency: 'key',
      examples: { plain: { summary: 'A key that is not needed any more', path: { id: keyId } } },
    },
  },
};
