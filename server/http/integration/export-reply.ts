/**
 * Replies with an export. The export goes to the disk first, so that a slow client blocks neither memory nor the
 * database.
 */
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { exportFacts, type ExportFormat, type ExportOptions } from '../../../shared/export/formats.ts';
import type { Caller } from '../../core/caller.ts';
import { exportRuns, exportRefusal } from '../../export/export-runs.ts';
import type { ExportSlots } from '../../export/export-slots.ts';
import type { Spool } from '../../export/spool.ts';
import { isPrematureClose } from '../body/premature-close.ts';
import type { ApiRequest } from '../route.ts';
import type { RefusedReply, Reply } from '../route-reply.ts';
import type { Services } from '../services.ts';
import { parseSelection, type SelectionQuery } from './export-selection.ts';

export function createExportHandler(services: Services, slots: ExportSlots) {
  return async (format: ExportFormat, request: ApiRequest<SelectionQuery & ExportOptions>): Promise<Reply> => {
    const { caller, query, method } = request;
    const parsed = await parseSelection(services.store, caller, query);
    if (!parsed.ok) return parsed;
    const { selection } = parsed;
    const headers = {
      'Content-Type': exportFacts[format].contentType,
      'Content-Disposition': `attachment; filename="${format}"`,
      'Cache-Control': 'no-store',
    };
    if (method === 'HEAD') {
      const refusal = await withSlot(slots, caller, () =>
        slots.runReader(caller.accountId, () => exportRefusal(services.store, caller.accountId, { format, selection })),
      );
      if (refusal) return refusal;
    }
    const stream = (response: ServerResponse) =>
      withSlot(slots, caller, async () => {
        const made = await slots.runReader(caller.accountId, async () =>
          response.destroyed
            ? undefined
            : exportRuns(services, caller.accountId, {
                format,
                selection,
                options: withoutAbsentOptions(query),
                isAbandoned: () => response.destroyed,
              }),
        );
        return made?.ok ? sendSpool(made.spool, response, headers) : made;
      });
    return { ok: true, headers, stream };
  };
}

const withoutAbsentOptions = ({ guard, bom, lifecycle }: ExportOptions): ExportOptions => ({
  ...(guard === undefined ? {} : { guard }),
  ...(bom === undefined ? {} : { bom }),
  ...(lifecycle === undefined ? {} : { lifecycle }),
});

async function withSlot(
  slots: ExportSlots,
  { accountId }: Caller,
  work: () => Promise<RefusedReply | undefined>,
): Promise<RefusedReply | undefined> {
  const slot = slots.take(accountId);
  if (!slot.ok) return slot;
  try {
    return await work();
  } finally {
    slot.release();
  }
}

/**
 * Limits the time of a download. The largest file needs 300 kB/s to arrive within this time. stalled-readers.ts ends a
 * download if the client takes no bytes for a minute.
 */
const downloadMsMax = 60 * 60_000;

async function sendSpool(spool: Spool, response: ServerResponse, headers: Record<string, string>): Promise<undefined> {
  const timer = setTimeout(() => response.destroy(), downloadMsMax).unref();
  try {
    response.writeHead(200, { ...headers, 'Content-Length': String(spool.size) });
    await pipeline(Readable.from(spool.read(), { objectMode: false }), response);
  } catch (error) {
    // Ignore a connection that the client or the server closed early.
    if (!response.destroyed || !isPrematureClose(error)) throw error;
  } finally {
    clearTimeout(timer);
    await spool.close();
  }
}
