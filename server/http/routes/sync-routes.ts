import { Type } from 'typebox';
import { pushBaseHeader } from '../../../shared/protocol/effects.ts';
import { PullQuery, PullResponse } from '../../../shared/protocol/pull.ts';
import { PushRequest, PushResponse } from '../../../shared/protocol/push.ts';
import { RunsQuery, RunsResponse } from '../../../shared/protocol/runs-on-demand.ts';
import { nextCursorHeader, protocolHeader } from '../../../shared/protocol/version.ts';
import { pushBodyBytesMax } from '../../../shared/schema/limits.ts';
import { eventStreamHeaders } from '../../sync/event-stream.ts';
import { formatReceiptFacts } from '../../sync/receipt-facts.ts';
import { protocolRefusal } from '../../sync/protocol.ts';
import { pull } from '../../sync/pull.ts';
import { push } from '../../sync/push.ts';
import { parsePushBase } from '../../sync/push-base.ts';
import { withoutSentAt } from '../../sync/sealed-push.ts';
import { loadRunsOnDemand } from '../../sync/runs-on-demand.ts';
import { exampleClientId, exampleOrderMapId, exampleSyncMapId } from './example-ids.ts';
import { successReply } from '../../core/reply.ts';
import { briefPushForm } from '../body/brief-form.ts';
import { packedReply } from '../body/packed-reply.ts';
import { route, type ApiRequest, type Route } from '../route.ts';
import type { Services } from '../services.ts';

/**
 * Runs before the body is checked. A client with an outdated protocol may send an invalid body, but should be told that
 * its protocol is outdated.
 */
const protocolPrecheck = (header: ApiRequest['header']) => protocolRefusal(header(protocolHeader));

const exampleHeaders = { 'Gemba-Protocol': '1' };
/** The cursor at the version 1000. */
const exampleCursor = 'MTAwMA';
const exampleRecordedAt = '2026-07-01T07:40:00.000Z';

export function syncRoutes(services: Services): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/v1/sync/push',
      access: ['record', 'write'],
      body: PushRequest,
      bodyBytesMax: pushBodyBytesMax,
      brief: briefPushForm,
      precheck: protocolPrecheck,
      async handle({ caller, body, header, isSealed }) {
        if (!isSealed) services.deviceReports.record(caller, header);
        const base = parsePushBase(header(pushBaseHeader));
        const request = body as PushRequest;
        const pushed = await push(services, caller, isSealed ? withoutSentAt(request) : request, base);
        if (!pushed.ok) return pushed;
        return successReply(200, pushed.response, isSealed ? formatReceiptFacts(request, pushed.response) : {});
      },
      docs: {
        operationId: 'syncPush',
        tag: 'Sync',
        summary: 'Push mutations',
        description:
          'Applies the mutations of a client in their order, each exactly once, through the same code as the endpoints. A repeated one gets the status that it got the first time. A rejected one consumes its `seq`; those after it go on. A token with the scope `record` may push recordings, one with `write` everything.',
        response: {
          status: 200,
          description: 'The answers to the mutations that were not acknowledged.',
          schema: PushResponse,
        },
        codes: ['account_mismatch', 'sequence_gap', 'sequence_reused', 'acknowledge_first', 'client_limit_reached'],
        examples: {
          plain: {
            summary: 'A map and a stage, and one that is refused',
            headers: exampleHeaders,
            body: {
              client_id: exampleClientId,
              acked_seq: 0,
              mutations: [
                {
                  seq: 1,
                  name: 'create_map',
                  args: { map_id: exampleSyncMapId, name: 'Goods in' },
                  recorded_at: exampleRecordedAt,
                },
                {
                  seq: 2,
                  name: 'add_stage',
                  args: { map_id: exampleSyncMapId, stage: 'Unload' },
                  recorded_at: exampleRecordedAt,
                },
                { seq: 3, name: 'delete_run', args: { run_id: 999_999 }, recorded_at: exampleRecordedAt },
              ],
            },
          },
        },
      },
    }),

    route({
      method: 'GET',
      path: '/api/v1/sync/pull',
      access: ['read'],
      query: PullQuery,
      precheck: protocolPrecheck,
      async handle({ caller, query, header, isSealed }) {
        if (!isSealed) services.deviceReports.record(caller, header);
        const pulled = await pull(services, caller, query);
        if (!pulled.ok) return pulled;
        const { has_more, cursor } = pulled.response;
        const headers = has_more ? { [nextCursorHeader]: cursor } : {};
        return packedReply(pulled.response, { accept: header('Accept'), headers });
      },
      docs: {
        operationId: 'syncPull',
        tag: 'Sync',
        summary: 'Pull changes',
        description:
          'Everything of the account that changed after the cursor, each record once at its latest; without a cursor, everything that exists. Go on with the `cursor` of each answer while `has_more` is true. The header `Gemba-Next-Cursor` has that cursor before the body has come, so that a device may ask for the next page already.',
        response: {
          status: 200,
          description: 'A page of changes.',
          schema: PullResponse,
          headers: ['Gemba-Next-Cursor'],
          packed: true,
        },
        codes: ['account_mismatch'],
        examples: {
          plain: {
            summary: 'The first page of the maps',
            headers: exampleHeaders,
            query: { client_id: exampleClientId, kinds: 'map', limit: 2 },
          },
        },
      },
    }),

    route({
      method: 'GET',
      path: '/api/v1/sync/runs',
      access: ['read'],
      query: RunsQuery,
      precheck: protocolPrecheck,
      async handle({ caller, query, header }) {
        const loaded = await loadRunsOnDemand(services, caller, query);
        if (!loaded.ok) return loaded;
        const { next } = loaded;
        const headers = next === undefined ? {} : { [nextCursorHeader]: next };
        return packedReply(loaded.response, { accept: header('Accept'), headers });
      },
      docs: {
        operationId: 'syncRuns',
        tag: 'Sync',
        summary: 'Load runs on demand',
        description:
          'Whole runs that a device with a scope does not have: those of `ids`, or those of a map from its newest on. A run that changed after `cursor` is only named, since the next pull brings it. A run that is neither returned nor named does not exist.',
        response: {
          status: 200,
          description: 'A page of runs.',
          schema: RunsResponse,
          headers: ['Gemba-Next-Cursor'],
          packed: true,
        },
        codes: ['account_mismatch'],
        examples: {
          plain: {
            summary: 'The newest run of a map, at the first cursor',
            headers: exampleHeaders,
            query: { cursor: exampleCursor, map_id: exampleOrderMapId, limit: 1 },
          },
        },
      },
    }),

    route({
      method: 'GET',
      path: '/api/v1/sync/events',
      access: ['read'],
      precheck: protocolPrecheck,
      async handle({ caller }) {
        return { ok: true, headers: eventStreamHeaders, stream: (res) => services.events.open(caller, res) };
      },
      docs: {
        operationId: 'syncEvents',
        tag: 'Sync',
        summary: 'Stream of changes',
        description:
          'A stream of server-sent events: an event `cursor` with the newest cursor at once and after each change, and a comment at least every 20 seconds. A cursor is a hint to pull; it carries no data. An account may have 1,000 streams open at a server process.',
        response: {
          status: 200,
          description: 'The stream. It goes on until either side ends it.',
          schema: Type.String(),
          contentType: 'text/event-stream',
        },
        codes: ['too_many_streams'],
        examples: { plain: { summary: 'The stream as it begins', headers: exampleHeaders } },
      },
    }),
  ];
}
