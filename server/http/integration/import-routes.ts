/** The route that imports recordings from CSV files, of other tools or of Gemba's own exports. */
import { Type } from 'typebox';
import { importBytesMax } from '../../../shared/schema/integration/import-limits.ts';
import { ImportReport } from '../../../shared/schema/integration/import-report.ts';
import { Closed, Described } from '../../../shared/schema/fields.ts';
import { sha256 } from '../../core/hash.ts';
import { createKeyedMutex } from '../../core/keyed-mutex.ts';
import { successReply } from '../../core/reply.ts';
import { importSteps } from '../../import/import-steps.ts';
import { idempotentUnit, idempotencyKeyStateUnit } from '../../mutate/idempotent-unit.ts';
import { emptyReadSet } from '../../mutate/working-set/read-set.ts';
import { parseIdempotency } from '../routes/mutation/idempotency-key.ts';
import { route, type ApiRequest, type Route } from '../route.ts';
import type { RefusedReply, Reply } from '../route-reply.ts';
import type { Services } from '../services.ts';

const OptionalFlag = Type.Optional(Type.Boolean({ expected: 'true or false' }));

const ImportQuery = Closed({
  dry_run: Described(OptionalFlag, 'Whether the report alone is wanted, and nothing is to be written. Default: false.'),
  create_maps: Described(
    OptionalFlag,
    'Whether maps that the file names and the account lacks are made. Default: false, and each of them is an error.',
  ),
});

const csvHeaders = { 'Content-Type': 'text/csv' };
const exampleCsv =
  'case_id,stage_name,duration_secs,started_at,map_name\n' +
  '1,Order entry,95,2026-07-01T07:42:10Z,Repair\n' +
  '1,Picking,312.5,,Repair\n';

export function importRoutes(services: Services): Route[] {
  const inTurn = createKeyedMutex();
  return [
    route({
      method: 'POST',
      path: '/api/v1/import',
      access: ['write'],
      query: ImportQuery,
      binaryBody: 'text/csv',
      bodyBytesMax: importBytesMax,
      precheck: refuseOtherCharset,
      // An account imports one file at a time. Parallel imports would delay the account's other requests for longer.
      handle: (request) => inTurn(request.caller.accountId, () => importReply(services, request)),
      docs: {
        operationId: 'importSteps',
        tag: 'Imports',
        summary: 'Import steps from CSV',
        description:
          'Makes a run of each recording in a file with the columns of `steps.csv`, each once, however often the file is sent. All is written or, if anything is wrong, nothing. `dry_run=true` tells beforehand what would be made and which cells are wrong. docs/integrators.md has the columns.',
        unparsedBody: Type.String(),
        response: { status: 200, description: 'What was made, or would be.', schema: ImportReport },
        codes: ['import_invalid', 'import_interrupted'],
        idempotency: 'key',
        examples: {
          dryRun: {
            summary: 'Ask what a file would make',
            query: { dry_run: true, create_maps: true },
            headers: csvHeaders,
            text: `${exampleCsv}2,Order entry,n/a,2026-07-01T07:50:00Z,Repair\n`,
          },
          plain: {
            summary: 'Import a file',
            query: { create_maps: true },
            headers: csvHeaders,
            text: `${exampleCsv}2,Order entry,70,2026-07-01T07:50:00Z,Repair\n`,
          },
        },
      },
    }),
  ];
}

async function importReply(
  services: Services,
  request: ApiRequest<{ dry_run?: boolean; create_maps?: boolean }>,
): Promise<Reply> {
  const { queue, readiness } = services;
  const { caller, query } = request;
  const { dry_run: dryRun = false, create_maps: createMaps = false } = query;
  const file = request.body as Uint8Array;
  const parsed = parseIdempotency({ ...request, body: sha256(file) }, ['import_steps', dryRun, createMaps]);
  if (!parsed.ok) return parsed;
  const { idempotency } = parsed;
  if (idempotency) {
    const state = await queue.write(caller, idempotencyKeyStateUnit(idempotency));
    if ('ok' in state) return state;
    if (state.kind === 'answered') return state.reply;
  }
  const isStopping = () => readiness.draining;
  const imported = await importSteps(services, { caller, file, dryRun, createMaps, isStopping });
  if (!imported.ok) return imported;
  const reply = successReply(200, imported.report);
  const unit = { readSet: emptyReadSet(), run: () => reply };
  return idempotency ? queue.write(caller, idempotentUnit({ idempotency, unit })) : reply;
}

function refuseOtherCharset(header: ApiRequest['header']): RefusedReply | undefined {
  const charset = /;\s*charset="?([^";\s]*)/i.exec(header('Content-Type') ?? '')?.[1]?.toLowerCase();
  if (charset === undefined || charset === 'utf-8' || charset === 'utf8') return undefined;
  const detail = `Send the file in UTF-8, not in ${charset}.`;
  return { ok: false, error: { code: 'unsupported_media_type', detail } };
}
