/** Pairing, devices and API keys. What a person must never see twice, a token or a code, stands only in the answer that makes it. */
import { Type, type Static } from 'typebox';
import { Plan, Scope } from './account.ts';
import { Closed, GivenName, Instant, Name, Nullable, Uuid } from './fields.ts';
import { pairingCodeLengthMax } from './limits.ts';

export const DeviceKind = Type.Enum(['wearable', 'phone'], { description: 'wearable or phone' });
export type DeviceKind = Static<typeof DeviceKind>;

/** The body of `POST /auth/pairing-code`; the device is a wearable unless it says otherwise. */
export const NewPairingCode = Closed({ device_kind: Type.Optional(DeviceKind) });
export type NewPairingCode = Static<typeof NewPairingCode>;

export const PairingCode = Closed({
  /** `XXXX-XXXX`. */
  code: Type.String(),
  expires_at: Instant,
  expires_in_secs: Type.Integer({ minimum: 0 }),
});
export type PairingCode = Static<typeof PairingCode>;

/** The body of `POST /auth/pair`. Any text may be tried as a code: what cannot be one is answered like a wrong one. */
export const PairRequest = Closed({
  code: Type.String({ minLength: 1, maxLength: pairingCodeLengthMax, description: 'a pairing code' }),
  device_id: Uuid,
  device_name: GivenName,
  device_kind: DeviceKind,
  account_id: Type.Optional(Uuid),
});
export type PairRequest = Static<typeof PairRequest>;

/** The body of `POST /auth/pairing-code/account`. A device names itself to ask about a code that it used. */
export const PairingCodeQuestion = Closed({
  code: PairRequest.properties.code,
  device_kind: DeviceKind,
  device_id: Type.Optional(Uuid),
});
export type PairingCodeQuestion = Static<typeof PairingCodeQuestion>;

export const PairingCodeAccount = Closed({ account: Closed({ id: Uuid, name: Name }) });
export type PairingCodeAccount = Static<typeof PairingCodeAccount>;

const Scopes = Type.Array(Scope, {
  minItems: 1,
  uniqueItems: true,
  description: 'a list of different scopes: read, record, write, admin',
});

export const Paired = Closed({
  device_id: Uuid,
  token: Type.String(),
  scopes: Scopes,
  account: Closed({ id: Uuid, name: Name, plan: Plan }),
});
export type Paired = Static<typeof Paired>;

/** A device that was paired. `last_seen_at` is exact to a minute. */
export const Device = Closed({
  id: Uuid,
  name: Name,
  kind: DeviceKind,
  paired_at: Instant,
  last_seen_at: Nullable(Instant),
  revoked_at: Nullable(Instant),
});
export type Device = Static<typeof Device>;

/** The body of `PATCH /devices/{device_id}`. */
export const DevicePatch = Closed({ name: GivenName });
export type DevicePatch = Static<typeof DevicePatch>;

/** The body of `POST /keys`. */
export const NewApiKey = Closed({ name: Type.Optional(GivenName), scopes: Type.Optional(Scopes) });
export type NewApiKey = Static<typeof NewApiKey>;

/** A device or an API key, as the maker of a key or a pairing code. */
export const Creator = Closed({
  kind: Type.Enum(['device', 'key'], { description: 'device or key' }),
  id: Uuid,
});
export type Creator = Static<typeof Creator>;

/** A key without its secret. `last_used_at` is exact to a minute. */
export const ApiKey = Closed({
  id: Uuid,
  name: Name,
  scopes: Scopes,
  last_four: Type.String(),
  created_at: Instant,
  created_by: Nullable(Creator),
  last_used_at: Nullable(Instant),
  revoked_at: Nullable(Instant),
});
export type ApiKey = Static<typeof ApiKey>;

export const NewApiKeyResult = Closed({ key: ApiKey, api_key: Type.String() });
export type NewApiKeyResult = Static<typeof NewApiKeyResult>;

/** The body of `POST /devices/{device_id}/revoke` and `POST /keys/{id}/revoke`. */
export const Revoke = Closed({ revoke_created: Type.Optional(Type.Boolean({ description: 'true or false' })) });
export type Revoke = Static<typeof Revoke>;

/** Ids of the keys that a revoked device or key made, and that those made. */
const createdKeys = { revoked_keys: Type.Array(Uuid), kept_keys: Type.Array(Uuid) };

export const RevokedDevice = Closed({ ...Device.properties, ...createdKeys });
export type RevokedDevice = Static<typeof RevokedDevice>;

export const RevokedApiKey = Closed({ ...ApiKey.properties, ...createdKeys });
export type RevokedApiKey = Static<typeof RevokedApiKey>;
