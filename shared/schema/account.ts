import { Type, type Static } from 'typebox';
import { Closed, Described, NameInput, Instant, Name, Nullable, Uuid } from './fields.ts';

export const Plan = Type.Enum(['free', 'team'], {
  title: 'Plan',
  description: 'The plan of an account. The free plan limits the number of maps.',
  expected: 'free or team',
});
export type Plan = Static<typeof Plan>;

const Seats = Type.Integer({ minimum: 0, maximum: 1_000_000, expected: 'an integer from 0' });
const seatsMeaning = 'The seats in addition to those that the plan includes.';
const AccountNameInput = Described(NameInput, 'The name of the account, such as the company, trimmed.');
const AccountPlan = Described(Plan, 'The plan of the account.');

/** An account as the operator sees it. */
export const Account = Closed(
  {
    id: Described(Uuid, 'Stands for `{id}` in the paths of accounts.'),
    name: Described(Name, 'The name of the account, such as the company.'),
    plan: AccountPlan,
    additional_seats: Described(Seats, seatsMeaning),
    phones_max: Described(
      Nullable(Type.Integer({ minimum: 1 })),
      'How many phones may be paired at once; null means no limit.',
    ),
    created_at: Described(Instant, 'When it was made.'),
  },
  { title: 'Account', description: 'An account as the operator sees it.' },
);
export type Account = Static<typeof Account>;

/** The body of `POST /admin/accounts`. */
export const NewAccount = Closed(
  { name: AccountNameInput, plan: AccountPlan, seats: Described(Type.Optional(Seats), `${seatsMeaning} Default: 0.`) },
  { title: 'NewAccount', description: 'An account to make.' },
);
export type NewAccount = Static<typeof NewAccount>;

/** The body of `PATCH /admin/accounts/{id}`. `additional_seats: null` removes the limit on phones. */
export const AccountPatch = Closed(
  {
    name: Type.Optional(AccountNameInput),
    plan: Type.Optional(AccountPlan),
    additional_seats: Described(Type.Optional(Nullable(Seats)), `${seatsMeaning} Null lifts the limit on phones.`),
  },
  { title: 'AccountPatch', description: 'The fields to change. Absent fields stay as they are.' },
);
export type AccountPatch = Static<typeof AccountPatch>;

export const NewAccountResult = Closed(
  {
    account: Described(Account, 'The account.'),
    api_key: Described(Type.String(), 'Its first API key, with all scopes. It is not shown again.'),
  },
  { title: 'NewAccountResult', description: 'A new account and its first API key.' },
);
export type NewAccountResult = Static<typeof NewAccountResult>;

export const AccountResult = Closed(
  { account: Described(Account, 'The account.') },
  { title: 'AccountResult', description: 'An account after a change.' },
);

/** The body of the reply to `GET /account`. */
export const AccountOverview = Closed(
  {
    id: Described(Uuid, 'The account.'),
    name: Described(Name, 'The name of the account, such as the company.'),
    plan: AccountPlan,
    phones: Described(Type.Integer({ minimum: 0 }), 'How many phones are paired. Each takes a seat.'),
    phones_max: Described(
      Nullable(Type.Integer({ minimum: 1 })),
      'How many phones may be paired at once; null means no limit.',
    ),
    devices: Described(Type.Integer({ minimum: 0 }), 'How many devices of all kinds are paired.'),
    maps: Described(Type.Integer({ minimum: 0 }), 'How many maps the account has, without those in the recycle bin.'),
    maps_max: Described(
      Nullable(Type.Integer({ minimum: 1 })),
      'How many maps the plan includes; null means no limit.',
    ),
  },
  { title: 'AccountOverview', description: 'The account of the token, as devices and API keys see it.' },
);
export type AccountOverview = Static<typeof AccountOverview>;

export const Scope = Type.Enum(['read', 'record', 'write', 'admin'], {
  title: 'Scope',
  description:
    'What a token may do: `read`, `record` recordings, `write` maps, stages and runs, `admin` devices, keys and pairing codes. A token with `admin` can make a key with any scope, so that it is as good as all of them.',
  expected: 'read, record, write or admin',
});
export type Scope = Static<typeof Scope>;
