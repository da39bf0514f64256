import { Type } from 'typebox';
import { PullAnswer, PushAnswer } from '../../../shared/protocol/answers.ts';
import { clientId, syncMapId } from '../example-ids.ts';
import type { Resource } from '../notes.ts';

const protocol = { 'Gemba-Protocol': '1' };
const recorded_at = '2026-07-01T07:40:00.000Z';

export const sync: Resource = {
  tag: 'Sync',
  description:
    'How a device that is often offline keeps up: it pushes what happened on it and pulls what changed. Each request carries `Gemba-Protocol: 1`.',
  operations: {
    'POST /api/v1/sync/push': {
      operationId: 'syncPush',
      summary: 'Push mutations',
      description:
        'Applies the mutations of a client in their order, each exactly once, through the same code as the endpoints. A repeated one is answered as it was the first time. A rejected one consumes its `seq`; those after it go on. A token with the scope `record` may push recordings, one with `write` everything else.',
      answer: { status: 200, description: 'An answer to each mutation.', schema: PushAnswer },
      codes: ['account_mismatch', 'sequence_gap', 'sequence_reused', 'acknowledge_first'],
      examples: {
        plain: {
          summary: 'A map and a stage, and one that is refused',
          headers: protocol,
          body: {
            client_id: clientId,
            acked_seq: 0,
            mutations: [
              { seq: 1, name: 'create_map', args: { map_id: syncMapId, name: 'Goods in' }, recorded_at },
              { seq: 2, name: 'add_stage', args: { map_id: syncMapId, stage: 'Unload' }, recorded_at },
              { seq: 3, name: 'delete_run', args: { run_id: 999_999 }, recorded_at },
            ],
          },
        },
      },
    },

    'GET /api/v1/sync/pull': {
      operationId: 'syncPull',
      summary: 'Pull changes',
      description:
        'Everything of the account that changed after the cursor, each record once at its latest; without a cursor, everything that exists. Go on with the `cursor` of each answer while `has_more` is true.',
      query: {
        client_id: "Adds the caller's own record `client`: which of its mutations are done, and which were refused.",
        account_id: 'The `account_id` that the first pull told: a token of another account is then refused.',
        carried: 'Whether the client is that of another device of the account, whose mutations are carried on here.',
        cursor: 'The `cursor` of the answer before. Left out, the pull begins at the start.',
        limit: 'How many changes a page may have. Default: 500.',
        kinds: 'Which kinds of records. Default: `map,run`.',
      },
      answer: { status: 200, description: 'A page of changes.', schema: PullAnswer },
      codes: ['account_mismatch'],
      examples: {
        plain: {
          summary: 'The first page of the maps',
          headers: protocol,
          query: { client_id: clientId, kinds: 'map', limit: 2 },
        },
      },
    },

    'GET /api/v1/sync/events': {
      operationId: 'syncEvents',
      summary: 'Hear of changes',
      description:
        'A stream of server-sent events: an event `cursor` with the newest cursor at once and after each change, and a comment at least every 20 seconds. A cursor is a hint to pull; it carries no data. An account may have 1,000 streams open at a server process.',
      answer: {
        status: 200,
        description: 'The stream. It goes on until either side ends it.',
        schema: Type.String(),
        contentType: 'text/event-stream',
      },
      codes: ['too_many_streams'],
      examples: { plain: { summary: 'The stream as it begins', headers: protocol } },
    },
  },
};
