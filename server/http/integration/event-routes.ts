/** The route that lists account events. The event stream for devices is in sync-routes.ts. */
import { Type } from 'typebox';
import { validationRefusal } from '../../../shared/domain/outcome.ts';
import { AccountEventPage } from '../../../shared/schema/integration/account-event.ts';
import { eventTypes, isEventType } from '../../../shared/schema/integration/event-types.ts';
import { Closed, Described } from '../../../shared/schema/fields.ts';
import { successReply } from '../../core/reply.ts';
import { listEvents } from '../../events/list-events.ts';
import { withSubjectRecords } from '../../events/subject-records.ts';
import { pageLimitOf, pageQueryFields } from '../routes/list.ts';
import { route, type Route } from '../route.ts';
import type { Services } from '../services.ts';

const EventsQuery = Closed({
  limit: pageQueryFields.limit,
  after: Described(
    Type.Optional(Type.String({ minLength: 1, expected: 'a cursor, or latest' })),
    'Where the page begins: `next_cursor` of the page before, or `latest` for the end. Default: the oldest event.',
  ),
  types: Described(
    Type.Optional(Type.String({ minLength: 1, expected: 'types with commas between them' })),
    'Only events of these types, with commas between them. Default: all.',
  ),
  include: Described(
    Type.Optional(Type.Enum(['subject'], { expected: 'subject' })),
    'Adds the record of each subject as it is now. A page has at most 50 events then.',
  ),
});

/** Limits the memory of a page that has the record of each event's subject, since one map may take megabytes. */
const pageLimitWithRecordsMax = 50;

export function eventRoutes({ store }: Services): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/events',
      access: ['read'],
      query: EventsQuery,
      async handle({ caller, query }) {
        const { accountId, scopes } = caller;
        const types = query.types?.split(',');
        const unknownType = types?.find((type) => !isEventType(type));
        if (unknownType !== undefined) {
          return validationRefusal([{ path: '/types', message: `must be among ${eventTypes.join(', ')}` }]);
        }
        const listed = await listEvents(store, accountId, {
          after: query.after,
          types: types && new Set(types.filter(isEventType)),
          limit:
            query.include === undefined ? pageLimitOf(query) : Math.min(pageLimitOf(query), pageLimitWithRecordsMax),
        });
        if (!listed.ok) return listed;
        if (query.include === undefined) return successReply(200, listed.page);
        const reader = { accountId, isAdmin: scopes.includes('admin') };
        const data = await withSubjectRecords(store, reader, listed.page.data);
        return successReply(200, { ...listed.page, data });
      },
      docs: {
        operationId: 'listEvents',
        tag: 'Events',
        summary: 'List what changed',
        description:
          'Each change of a map or run, and of devices, keys, photos and the account, once, in the order in which they were made. A recording is two: `map.updated` and `recording.received`. To follow an account, take the cursor of `after=latest`, read the records, and then come again with `next_cursor`. Events are kept for 30 days.',
        response: { status: 200, description: 'A page of events, the oldest first.', schema: AccountEventPage },
        codes: ['cursor_expired'],
        examples: {
          recordings: {
            summary: 'The recordings that arrived, with their runs',
            query: { types: 'recording.received', include: 'subject', limit: 2 },
          },
          latest: { summary: 'The cursor of the end', query: { after: 'latest' } },
        },
      },
    }),
  ];
}
