/** Account events: what changed in an account, each change once and in order, for other systems to follow. */
import { Type, type Static } from 'typebox';
import { Account } from '../account.ts';
import { ApiKey, Device } from '../auth.ts';
import { Closed, Described, Instant, IntegerId, Nullable } from '../fields.ts';
import { FullMap } from '../map.ts';
import { PhotoObject } from '../photos/run-photos.ts';
import { RunRecord } from '../run.ts';
import { eventSubjectKinds, eventTypes } from './event-types.ts';

const subjectKinds = [...new Set(Object.values(eventSubjectKinds))];

export const EventActor = Closed(
  {
    kind: Described(
      Type.Enum(['device', 'key', 'operator', 'billing'], { expected: 'device, key, operator or billing' }),
      'Who made the change.',
    ),
    id: Described(
      Nullable(Type.String()),
      'The id of the device or key; null for billing, and for the operator, who also stands for what the server does by itself.',
    ),
  },
  {
    title: 'EventActor',
    description: 'The device or API key that made a change, or the operator, or billing: what Stripe says is paid for.',
  },
);
export type EventActor = Static<typeof EventActor>;

const SubjectRecord = Nullable(Type.Union([FullMap, RunRecord, PhotoObject, Device, ApiKey, Account]));
export type SubjectRecord = Static<typeof SubjectRecord>;

export const AccountEvent = Closed(
  {
    id: Described(Type.String(), 'The id of the event. It is the same at each delivery, and unique.'),
    type: Described(Type.Enum(eventTypes), 'What happened. Later versions add types, so ignore unknown ones.'),
    created_at: Described(Instant, 'When the server made the change.'),
    version: Described(
      Type.Integer({ minimum: 1 }),
      "The account's version after the change, which a map or run has as its own. It grows from event to event.",
    ),
    subject: Described(
      Closed({
        kind: Described(Type.Enum(subjectKinds), 'What it is.'),
        id: Described(Type.Union([Type.String(), IntegerId]), 'Its id. That of a run is a number.'),
        record: Described(
          Type.Optional(SubjectRecord),
          'Only with `include=subject`: the record as it is now, of a run without its steps; null if it is gone. A map in the recycle bin is `deleted`. Devices, keys and the account are shown to callers with the scope `admin` alone, and a webhook has none.',
        ),
      }),
      'The record that changed.',
    ),
    actor: Described(EventActor, 'Who changed it.'),
  },
  { title: 'AccountEvent', description: 'One change in an account.' },
);
export type AccountEvent = Static<typeof AccountEvent>;

export const AccountEventPage = Closed(
  {
    data: Described(Type.Array(AccountEvent), 'The events, the oldest first.'),
    next_cursor: Described(
      Type.String(),
      'The cursor of the next page. It is never null: use it after the last page to ask for later events.',
    ),
    has_more: Described(
      Type.Boolean(),
      'Whether more events may follow now, which is possible even after an empty page.',
    ),
  },
  { title: 'AccountEventPage', description: 'A page of events.' },
);
export type AccountEventPage = Static<typeof AccountEventPage>;
