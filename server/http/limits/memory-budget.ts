/** Limits the bytes that requests hold in this process: for each token, each account, each address and in total. */
import { publicBodyBytesMax, pushBodyBytesMax } from '../../../shared/schema/limits.ts';
import type { Caller } from '../../core/caller.ts';
import type { RefusedReply } from '../route-reply.ts';
import { addressKey } from './client-address.ts';

/** A token, account or address with its own memory limit. The bytes of a request count for each of its payers. */
export interface Payer {
  key: string;
  bytesMax: number;
}

export interface MemoryLimits {
  bytesPerTokenMax: number;
  bytesPerAccountMax: number;
  bytesPerAddressMax: number;
  bytesMax: number;
}

const mebibyte = 1024 * 1024;

/** A token may send two pushes of the largest size at once, and an address may pair hundreds of devices at once. */
export const bodyMemoryLimits: MemoryLimits = {
  bytesPerTokenMax: 2 * pushBodyBytesMax,
  bytesPerAccountMax: 4 * pushBodyBytesMax,
  bytesPerAddressMax: 256 * publicBodyBytesMax,
  bytesMax: 16 * pushBodyBytesMax,
};

/** A token may receive the largest response, or several pages of a pull at once. */
export const responseMemoryLimits: MemoryLimits = {
  bytesPerTokenMax: 64 * mebibyte,
  bytesPerAccountMax: 128 * mebibyte,
  bytesPerAddressMax: 16 * mebibyte,
  bytesMax: 256 * mebibyte,
};

export interface MemoryBudget {
  limits: MemoryLimits;
  /** Opens a lease that holds no bytes yet. */
  lease(payers: Payer[]): MemoryLease;
}

/** A request with a token counts for the token and its account, any other request for its address. */
export function payersOf(limits: MemoryLimits, { accountId, tokenHash }: Caller, address: string | undefined): Payer[] {
  if (accountId === '') return [{ key: addressKey(address), bytesMax: limits.bytesPerAddressMax }];
  return [
    { key: `token ${tokenHash}`, bytesMax: limits.bytesPerTokenMax },
    { key: `account ${accountId}`, bytesMax: limits.bytesPerAccountMax },
  ];
}

export interface MemoryLease {
  /** Adds bytes to the lease, or adds none and returns the refusal to reply with. */
  take(bytes: number): RefusedReply | undefined;
  /** Returns all bytes of the lease. May be called twice. */
  release(): void;
}

export function createMemoryBudget(limits: MemoryLimits): MemoryBudget {
  const bytesByPayer = new Map<string, number>();
  const heldBytes = ({ key }: Payer): number => bytesByPayer.get(key) ?? 0;
  const everybody: Payer = { key: 'everybody', bytesMax: limits.bytesMax };

  const add = (payer: Payer, bytes: number): void => {
    const sum = heldBytes(payer) + bytes;
    if (sum > 0) bytesByPayer.set(payer.key, sum);
    else bytesByPayer.delete(payer.key);
  };

  return {
    limits,
    lease(payers) {
      const charged = [...payers, everybody];
      let leased = 0;
      return {
        take(bytes) {
          const full = charged.find((payer) => heldBytes(payer) + bytes > payer.bytesMax);
          if (full) return full === everybody ? processFull : payerFull(full);
          for (const payer of charged) add(payer, bytes);
          leased += bytes;
        },
        release() {
          for (const payer of charged) add(payer, -leased);
          leased = 0;
        },
      };
    },
  };
}

/** Most requests take milliseconds, so most requests under way have ended by then. */
const retryAfterSecs = 5;

const processFull: RefusedReply = {
  ok: false,
  error: {
    code: 'unavailable',
    detail: 'Requests under way hold all the memory that there is for them; try again.',
    members: { retry_after_secs: retryAfterSecs },
  },
  endsConnection: true,
};

function payerFull({ bytesMax }: Payer): RefusedReply {
  const detail = `Your requests under way hold ${bytesMax} bytes, as many as they may; let some of them end.`;
  return {
    ok: false,
    error: { code: 'rate_limited', detail, members: { retry_after_secs: retryAfterSecs } },
    endsConnection: true,
  };
}
