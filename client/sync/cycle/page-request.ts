/** Requests one page of a pull from the server, under the device's client id. */
import type { PullResponse } from '../../../shared/protocol/pull.ts';
import type { PullableKind } from '../../../shared/protocol/pullable-kinds.ts';
import { pullLimitMax } from '../../../shared/schema/limits.ts';
import { noAgreedSeq } from '../../outbox/model/sequence/numbering.ts';
import type { Outbox } from '../../outbox/outbox.ts';
import { RequestError, type RequestFailure } from '../net/failure.ts';
import type { Transport } from '../net/transport.ts';
import type { PullScope } from '../scope/hooks.ts';
import { ensureAccountId } from './account.ts';
import { conflictError } from './sequence-check.ts';

interface PageFetcherOptions {
  outbox: Outbox;
  transport: Transport;
  kinds: readonly PullableKind[];
  scope?: PullScope | undefined;
}

export class PageFetcher {
  readonly #options: PageFetcherOptions;
  /**
   * True if an earlier token of this device owns the client id, since the device was paired again. Requests then mark
   * the client id as forwarded. After the pull, the device starts a new client id.
   */
  mustLeaveClientId = false;

  constructor(options: PageFetcherOptions) {
    this.#options = options;
  }

  async fetch(cursor: string, signal: AbortSignal): Promise<PullResponse> {
    const { transport, outbox, kinds, scope } = this.#options;
    const accountId = await ensureAccountId({ outbox, transport }, signal);
    const clientId = outbox.device.client_id;
    const query = { clientId, accountId, cursor, limit: pullLimitMax, kinds, scope: scope?.query };
    for (;;) {
      try {
        return await transport.pull({ ...query, isForwarded: this.mustLeaveClientId }, signal);
      } catch (error) {
        if (!(error instanceof RequestError) || error.failure.kind !== 'other_owner') throw error;
        // This request marked the client id as forwarded. The server refused it still, so another account owns it.
        if (this.mustLeaveClientId) throw conflictError({ client_id: clientId, agreedSeq: noAgreedSeq });
        this.mustLeaveClientId = true;
      }
    }
  }

  /** Resolves to undefined if the server refuses the cursor. The caller then pulls all records. */
  async fetchUnlessRefused(cursor: string, signal: AbortSignal): Promise<PullResponse | undefined> {
    try {
      return await this.fetch(cursor, signal);
    } catch (error) {
      if (cursor !== '' && error instanceof RequestError && isCursorRefused(error.failure)) return undefined;
      throw error;
    }
  }
}

const isCursorRefused = (failure: RequestFailure): boolean =>
  failure.kind === 'blocked' && failure.problem.errors?.some(({ path }) => path === '/cursor') === true;
