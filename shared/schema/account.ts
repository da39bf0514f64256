import { Type, type Static } from 'typebox';
import { Closed, GivenName, Instant, Name, Nullable, Uuid } from './fields.ts';

export const Plan = Type.Enum(['free', 'team'], { description: 'free or team' });
export type Plan = Static<typeof Plan>;

const Seats = Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'an integer from 0' });

/** An account as the operator sees it. */
export const Account = Closed({
  id: Uuid,
  name: Name,
  plan: Plan,
  additional_seats: Seats,
  /** How many phones may be paired at once; null is no limit. */
  phones_max: Nullable(Type.Integer({ minimum: 1 })),
  created_at: Instant,
});
export type Account = Static<typeof Account>;

/** The body of `POST /admin/accounts`. */
export const NewAccount = Closed({ name: GivenName, plan: Plan, seats: Type.Optional(Seats) });
export type NewAccount = Static<typeof NewAccount>;

/** The body of `PATCH /admin/accounts/{id}`. `additional_seats: null` lifts the limit on phones. */
export const AccountPatch = Closed({
  name: Type.Optional(GivenName),
  plan: Type.Optional(Plan),
  additional_seats: Type.Optional(Nullable(Seats)),
});
export type AccountPatch = Static<typeof AccountPatch>;

export const Scope = Type.Enum(['read', 'record', 'write', 'admin'], { description: 'read, record, write or admin' });
export type Scope = Static<typeof Scope>;
