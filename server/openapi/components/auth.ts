import { Page } from '../../../shared/schema/answers.ts';
import { Scope } from '../../../shared/schema/account.ts';
import {
  ApiKey,
  Creator,
  Device,
  DeviceKind,
  DevicePatch,
  NewApiKey,
  NewApiKeyResult,
  NewPairingCode,
  Paired,
  PairingCode,
  PairingCodeAccount,
  PairingCodeQuestion,
  PairRequest,
  Revoke,
  RevokedApiKey,
  RevokedDevice,
} from '../../../shared/schema/auth.ts';
import { answerSchema, enumSchema, requestSchema, type Component } from '../component.ts';

/** Fields that a device has wherever it is shown. */
const deviceFields = {
  id: 'Stands for `{device_id}` in paths.',
  name: 'What people call it.',
  kind: 'What it is.',
  paired_at: 'When it was paired last.',
  last_seen_at: 'When its token was last used, to the minute; null when never.',
  revoked_at: 'When its token was revoked; null while it works.',
};

const keyFields = {
  id: 'Stands for `{id}` in the paths of keys.',
  name: 'What it is for.',
  scopes: 'What it may do.',
  last_four: 'Its last four characters, to tell it from others.',
  created_at: 'When it was made.',
  created_by: 'The device or key that made it; null where the operator did, and for keys of earlier versions.',
  last_used_at: 'When it was last used, to the minute; null when never.',
  revoked_at: 'When it was revoked; null while it works.',
};

const createdKeys = {
  revoked_keys: 'The keys that it made, and that those made, which were revoked with it or since.',
  kept_keys: 'Those that still work: all that are asked to stay, and always the last key with the scope `admin`.',
};

const nextCursor = 'Where the next page begins; null on the last one.';

export const authComponents: Record<string, Component> = {
  DeviceKind: enumSchema(DeviceKind, 'A wearable only reads and records; a phone may do everything.'),

  Scope: enumSchema(
    Scope,
    'What a token may do: `read`, `record` recordings, `write` maps, stages and runs, `admin` devices, keys and pairing codes. A token with `admin` can make a key with any scope, so that it is as good as all of them.',
  ),

  NewPairingCode: requestSchema(NewPairingCode, {
    description: 'What the pairing code is for.',
    fields: { device_kind: 'The kind of device that it pairs. Default: `wearable`.' },
  }),

  PairingCode: answerSchema(PairingCode, {
    description: 'A code that pairs one device, once.',
    fields: {
      code: 'To be typed on the device. Case, the hyphen, and O for 0, I or L for 1 do not matter.',
      expires_at: 'Until when it works.',
      expires_in_secs: 'For how many seconds it works.',
    },
  }),

  PairRequest: requestSchema(PairRequest, {
    description: 'A device that wants to be paired.',
    fields: {
      code: 'What the person typed.',
      device_id: "The device's own id, made once and kept.",
      device_name: 'What people call the device, trimmed.',
      device_kind: 'It has to be the kind that the code is for.',
      account_id: 'The account whose work the device holds. A code of another one is refused, and stays unused.',
    },
  }),

  PairingCodeQuestion: requestSchema(PairingCodeQuestion, {
    description: 'A question whose account a pairing code joins.',
    fields: {
      code: 'What the person typed.',
      device_kind: 'It has to be the kind that the code is for.',
      device_id: "The device's own id, to ask about a code that it used.",
    },
  }),

  PairingCodeAccount: answerSchema(PairingCodeAccount, {
    description: 'The account that a pairing code joins.',
    fields: { account: 'Its id and its name.' },
  }),

  Paired: answerSchema(Paired, {
    description: 'A paired device and its token.',
    fields: {
      device_id: 'The device.',
      token: 'Its token. It is not shown again.',
      scopes: 'What the token may do.',
      account: 'Whose device it is now.',
    },
  }),

  Device: answerSchema(Device, {
    description: 'A device that was paired.',
    fields: deviceFields,
  }),

  RevokedDevice: answerSchema(RevokedDevice, {
    description: 'A revoked device, and the keys that it made.',
    fields: { ...deviceFields, ...createdKeys },
  }),

  Revoke: requestSchema(Revoke, {
    description: 'How to revoke a device or a key.',
    fields: {
      revoke_created:
        'Whether the keys that it made, and that those made, are revoked with it. Default: `true` for a device, `false` for a key.',
    },
  }),

  DevicePatch: requestSchema(DevicePatch, {
    description: 'A change of a device.',
    fields: { name: 'What people call it, trimmed.' },
  }),

  DevicePage: answerSchema(Page(Device), {
    description: 'A page of devices.',
    fields: { data: 'The devices of this page.', next_cursor: nextCursor },
  }),

  Creator: answerSchema(Creator, {
    description: 'A device or an API key that made a key.',
    fields: { kind: 'What it is.', id: 'Its id.' },
  }),

  ApiKey: answerSchema(ApiKey, {
    description: 'An API key, without its secret.',
    fields: keyFields,
  }),

  RevokedApiKey: answerSchema(RevokedApiKey, {
    description: 'A revoked API key, and the keys that it made.',
    fields: { ...keyFields, ...createdKeys },
  }),

  ApiKeyPage: answerSchema(Page(ApiKey), {
    description: 'A page of API keys.',
    fields: { data: 'The keys of this page.', next_cursor: nextCursor },
  }),

  NewApiKey: requestSchema(NewApiKey, {
    description: 'An API key to make.',
    fields: { name: 'What it is for, trimmed. Default: `API key`.', scopes: 'What it may do. Default: everything.' },
  }),

  NewApiKeyResult: answerSchema(NewApiKeyResult, {
    description: 'A new API key.',
    fields: { key: 'The key, as lists show it.', api_key: 'The secret. It is not shown again.' },
  }),
};
