/** Pairing, devices and API keys. A token or a code is only in the response that creates it. */
import { Type, type Static } from 'typebox';
import { Plan, Scope } from './account.ts';
import { Closed, Described, NameInput, Instant, Name, Nullable, Uuid } from './fields.ts';
import { pairingCodeLengthMax } from './limits.ts';
import { PageSchema } from './page.ts';

export const DeviceKind = Type.Enum(['wearable', 'phone', 'desk'], {
  title: 'DeviceKind',
  description:
    'A wearable only reads and records; a phone and a desk may do everything. A desk is a computer, and takes no seat.',
  expected: 'wearable, phone or desk',
});
export type DeviceKind = Static<typeof DeviceKind>;

/** The body of `POST /auth/pairing-code`. The default kind of device is a wearable. */
export const NewPairingCode = Closed(
  {
    device_kind: Described(Type.Optional(DeviceKind), 'The kind of device that the code pairs. Default: `wearable`.'),
  },
  { title: 'NewPairingCode', description: 'The options of a new pairing code.' },
);
export type NewPairingCode = Static<typeof NewPairingCode>;

export const PairingCode = Closed(
  {
    /** Has the form `XXXX-XXXX`. */
    code: Described(
      Type.String(),
      'To be typed on the device. Case, the hyphen, and O for 0, I or L for 1 do not matter.',
    ),
    expires_at: Described(Instant, 'When the code expires.'),
    expires_in_secs: Described(Type.Integer({ minimum: 0 }), 'The seconds until the code expires.'),
  },
  { title: 'PairingCode', description: 'A code that pairs one device, once.' },
);
export type PairingCode = Static<typeof PairingCode>;

/**
 * Accepts any text, so that the server answers a text that cannot be a pairing code in the same way as a wrong code.
 */
const TypedPairingCode = Described(
  Type.String({ minLength: 1, maxLength: pairingCodeLengthMax, expected: 'a pairing code' }),
  'The code as the person typed it.',
);
const PairedDeviceKind = Described(DeviceKind, 'The kind of the device. It must be the kind that the code is for.');

/** The body of `POST /auth/pair`. */
export const PairRequest = Closed(
  {
    code: TypedPairingCode,
    device_id: Described(Uuid, "The device's own id, made once and kept."),
    device_name: Described(NameInput, 'The name of the device, trimmed.'),
    device_kind: PairedDeviceKind,
    account_id: Described(
      Type.Optional(Uuid),
      'The account whose work the device holds. A code of another one is refused, and stays unused.',
    ),
  },
  { title: 'PairRequest', description: 'A device to pair.' },
);
export type PairRequest = Static<typeof PairRequest>;

/**
 * The body of `POST /auth/pairing-code/account`. If the code was already used, the device that used it sends its id and
 * gets the same response again.
 */
export const PairingCodeLookup = Closed(
  {
    code: TypedPairingCode,
    device_kind: PairedDeviceKind,
    device_id: Described(Type.Optional(Uuid), "The device's own id, to ask about a code that it used."),
  },
  { title: 'PairingCodeLookup', description: 'A request for the account that a pairing code belongs to.' },
);
export type PairingCodeLookup = Static<typeof PairingCodeLookup>;

export const PairingCodeAccount = Closed(
  { account: Described(Closed({ id: Uuid, name: Name }), 'The id and the name of the account.') },
  { title: 'PairingCodeAccount', description: 'The account that a pairing code joins.' },
);
export type PairingCodeAccount = Static<typeof PairingCodeAccount>;

const Scopes = Type.Array(Scope, {
  minItems: 1,
  uniqueItems: true,
  expected: 'a list of different scopes: read, record, write, admin',
});

export const PairResult = Closed(
  {
    device_id: Described(Uuid, 'The device.'),
    token: Described(Type.String(), 'Its token. It is not shown again.'),
    scopes: Described(Scopes, 'The scopes of the token.'),
    account: Described(Closed({ id: Uuid, name: Name, plan: Plan }), 'The account that the device now belongs to.'),
    relay_keys: Described(
      Type.String(),
      'The keys to which the device seals requests that another device carries: `application/ohttp-keys` (RFC 9458) as base64url.',
    ),
  },
  { title: 'Paired', description: 'A paired device and its token.' },
);
export type PairResult = Static<typeof PairResult>;

/** A device that is or was paired with the account. */
export const Device = Closed(
  {
    id: Described(Uuid, 'Stands for `{device_id}` in paths.'),
    name: Described(Name, 'The name of the device.'),
    kind: Described(DeviceKind, 'What it is.'),
    paired_at: Described(Instant, 'When the device was last paired.'),
    last_seen_at: Described(
      Nullable(Instant),
      'When the token of the device was last used, to the minute; null if never.',
    ),
    revoked_at: Described(Nullable(Instant), 'When the device was revoked; null while its token works.'),
  },
  { title: 'Device', description: 'A device that was paired.' },
);
export type Device = Static<typeof Device>;

/** The body of `PATCH /devices/{device_id}`. */
export const DevicePatch = Closed(
  { name: Described(NameInput, 'The name of the device, trimmed.') },
  { title: 'DevicePatch', description: 'A change of a device.' },
);
export type DevicePatch = Static<typeof DevicePatch>;

/** The body of `POST /keys`. */
export const NewApiKey = Closed(
  {
    name: Described(
      Type.Optional(NameInput),
      'The name of the key, which says what it is for, trimmed. Default: `API key`.',
    ),
    scopes: Described(Type.Optional(Scopes), 'The scopes of the key. Default: all.'),
  },
  { title: 'NewApiKey', description: 'An API key to make.' },
);
export type NewApiKey = Static<typeof NewApiKey>;

/** The device or API key that created a key or a pairing code. */
export const Creator = Closed(
  {
    kind: Described(Type.Enum(['device', 'key'], { expected: 'device or key' }), 'What it is.'),
    id: Described(Uuid, 'Its id.'),
  },
  { title: 'Creator', description: 'A device or an API key that made a key.' },
);
export type Creator = Static<typeof Creator>;

/** An API key without its secret. */
export const ApiKey = Closed(
  {
    id: Described(Uuid, 'Stands for `{id}` in the paths of keys.'),
    name: Described(Name, 'The name of the key, which says what it is for.'),
    scopes: Described(Scopes, 'The scopes of the key.'),
    last_four: Described(Type.String(), 'The last four characters of the secret, to distinguish keys.'),
    created_at: Described(Instant, 'When it was made.'),
    created_by: Described(
      Nullable(Creator),
      'The device or API key that made this key; null if the operator made it, or an earlier version of the server.',
    ),
    last_used_at: Described(Nullable(Instant), 'When the key was last used, to the minute; null if never.'),
    revoked_at: Described(Nullable(Instant), 'When the key was revoked; null while it works.'),
  },
  { title: 'ApiKey', description: 'An API key, without its secret.' },
);
export type ApiKey = Static<typeof ApiKey>;

export const ApiKeyPage = PageSchema(ApiKey, {
  title: 'ApiKeyPage',
  description: 'A page of API keys.',
  data: 'The keys of this page.',
});

export const NewApiKeyResult = Closed(
  {
    key: Described(ApiKey, 'The key, as lists show it.'),
    api_key: Described(Type.String(), 'The secret. It is not shown again.'),
  },
  { title: 'NewApiKeyResult', description: 'A new API key.' },
);
export type NewApiKeyResult = Static<typeof NewApiKeyResult>;

/** The body of `POST /devices/{device_id}/revoke` and `POST /keys/{id}/revoke`. */
export const RevokeRequest = Closed(
  {
    revoke_created: Described(
      Type.Optional(Type.Boolean({ expected: 'true or false' })),
      'Whether to revoke all keys that the device or key made, directly or through other keys, as well. Default: `true` for a device, `false` for a key.',
    ),
  },
  { title: 'Revoke', description: 'How to revoke a device or a key.' },
);
export type RevokeRequest = Static<typeof RevokeRequest>;

/** The ids of all API keys that a revoked device or API key created, directly or through other API keys. */
const createdKeyFields = {
  revoked_keys: Described(
    Type.Array(Uuid),
    'The keys that the device or key made, directly or through other keys, and that are revoked.',
  ),
  kept_keys: Described(
    Type.Array(Uuid),
    'The keys that the device or key made and that still work, as requested, or as the last key with the scope `admin`.',
  ),
};

export const RevokedDevice = Closed(
  { ...Device.properties, ...createdKeyFields },
  { title: 'RevokedDevice', description: 'A revoked device, and the keys that it made.' },
);
export type RevokedDevice = Static<typeof RevokedDevice>;

export const RevokedApiKey = Closed(
  { ...ApiKey.properties, ...createdKeyFields },
  { title: 'RevokedApiKey', description: 'A revoked API key, and the keys that it made.' },
);
export type RevokedApiKey = Static<typeof RevokedApiKey>;
