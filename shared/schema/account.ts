import { Type, type Static } from 'typebox';
import { Closed, Instant, Name, Uuid } from './fields.ts';

export const Plan = Type.Enum(['free', 'team'], { description: 'free or team' });
export type Plan = Static<typeof Plan>;

const Seats = Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'an integer from 0' });

/** An account as the operator sees it. */
export const Account = Closed({
  id: Uuid,
  name: Name,
  plan: Plan,
  additional_seats: Seats,
  created_at: Instant,
});
export type Account = Static<typeof Account>;

/** The body of `POST /admin/accounts`. */
export const NewAccount = Closed({ name: Name, plan: Plan, seats: Type.Optional(Seats) });
export type NewAccount = Static<typeof NewAccount>;

/** The body of `PATCH /admin/accounts/{id}`. */
export const AccountPatch = Closed({
  name: Type.Optional(Name),
  plan: Type.Optional(Plan),
  additional_seats: Type.Optional(Seats),
});
export type AccountPatch = Static<typeof AccountPatch>;

export type Scope = 'read' | 'record' | 'write' | 'admin';
