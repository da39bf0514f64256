import { Account, AccountPatch, NewAccount, Plan } from '../../../shared/schema/account.ts';
import { AccountResult, NewAccountResult } from '../../../shared/schema/answers.ts';
import { answerSchema, enumSchema, requestSchema, type Component } from '../component.ts';

const seats = 'Seats beyond those that the plan includes.';

export const accountComponents: Record<string, Component> = {
  Plan: enumSchema(Plan, 'What the account pays for. The free plan has a cap on its maps.'),

  Account: answerSchema(Account, {
    description: 'An account as the operator sees it.',
    fields: {
      id: 'Stands for `{id}` in the paths of accounts.',
      name: 'Whose account it is.',
      plan: 'What it pays for.',
      additional_seats: seats,
      phones_max: 'How many phones may be paired at once; null is no limit.',
      created_at: 'When it was made.',
    },
  }),

  NewAccount: requestSchema(NewAccount, {
    description: 'An account to make.',
    fields: { name: 'Whose account it is, trimmed.', plan: 'What it pays for.', seats: `${seats} Default: 0.` },
  }),

  AccountPatch: requestSchema(AccountPatch, {
    description: 'Only what is to change; what is left out stays as it is.',
    fields: {
      name: 'Whose account it is, trimmed.',
      plan: 'What it pays for.',
      additional_seats: `${seats} Null lifts the limit on phones.`,
    },
  }),

  NewAccountResult: answerSchema(NewAccountResult, {
    description: 'A new account and its first API key.',
    fields: { account: 'The account.', api_key: 'Its first API key, with all scopes. It is not shown again.' },
  }),

  AccountResult: answerSchema(AccountResult, {
    description: 'An account after a change.',
    fields: { account: 'The account.' },
  }),
};
