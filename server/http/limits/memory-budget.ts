/** Limits the memory that requests take in this process: for each token, each account, each address and in total. */
import { publicBodyBytesMax, pushBodyBytesMax } from '../../../shared/schema/limits.ts';
import type { Caller } from '../../core/caller.ts';
import type { RefusedReply } from '../route-reply.ts';
import { addressQuotaKey } from './client-address.ts';

/** A token, an account or an address whose requests share a limit. */
interface MemoryHolder {
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

/**
 * Under these limits, one token can send two pushes of the largest size in parallel, and one address can pair hundreds
 * of devices in parallel.
 */
export const bodyMemoryLimits: MemoryLimits = {
  bytesPerTokenMax: 2 * pushBodyBytesMax,
  bytesPerAccountMax: 4 * pushBodyBytesMax,
  bytesPerAddressMax: 256 * publicBodyBytesMax,
  bytesMax: 16 * pushBodyBytesMax,
};

/** Under these limits, one token can receive the largest response, or several pages of a pull in parallel. */
export const responseMemoryLimits: MemoryLimits = {
  bytesPerTokenMax: 64 * mebibyte,
  bytesPerAccountMax: 128 * mebibyte,
  bytesPerAddressMax: 16 * mebibyte,
  bytesMax: 256 * mebibyte,
};

export interface MemoryBudget {
  limits: MemoryLimits;
  /** Returns an empty lease. Bytes that the lease takes count for each of the holders. */
  lease(holders: MemoryHolder[]): MemoryLease;
}

/** The memory of a request counts for its token and its account. Without a token, it counts for the address. */
export function memoryHoldersOf(
  limits: MemoryLimits,
  { accountId, tokenHash }: Caller,
  address: string | undefined,
): MemoryHolder[] {
  if (accountId === '') return [{ key: addressQuotaKey(address), bytesMax: limits.bytesPerAddressMax }];
  return [
    { key: `token ${tokenHash}`, bytesMax: limits.bytesPerTokenMax },
    { key: `account ${accountId}`, bytesMax: limits.bytesPerAccountMax },
  ];
}

export interface MemoryLease {
  /** Reserves the bytes. If a limit is reached, returns a refusal and reserves nothing. */
  take(bytes: number): RefusedReply | undefined;
  /** Gives all reserved bytes back. A second call does nothing. */
  release(): void;
}

export function createMemoryBudget(limits: MemoryLimits): MemoryBudget {
  const bytesByHolder = new Map<string, number>();
  const bytesOf = ({ key }: MemoryHolder): number => bytesByHolder.get(key) ?? 0;
  const allRequests: MemoryHolder = { key: 'all requests', bytesMax: limits.bytesMax };

  const add = (holder: MemoryHolder, bytes: number): void => {
    const sum = bytesOf(holder) + bytes;
    if (sum > 0) bytesByHolder.set(holder.key, sum);
    else bytesByHolder.delete(holder.key);
  };

  return {
    limits,
    lease(holders) {
      const allHolders = [...holders, allRequests];
      let reservedBytes = 0;
      return {
        take(bytes) {
          const fullHolder = allHolders.find((holder) => bytesOf(holder) + bytes > holder.bytesMax);
          if (fullHolder) return fullHolder === allRequests ? processMemoryRefusal : holderMemoryRefusal(fullHolder);
          for (const holder of allHolders) add(holder, bytes);
          reservedBytes += bytes;
        },
        release() {
          for (const holder of allHolders) add(holder, -reservedBytes);
          reservedBytes = 0;
        },
      };
    },
  };
}

/** Most requests take only milliseconds, so there will be free memory after 5 s. */
const retryAfterSecs = 5;

const processMemoryRefusal: RefusedReply = {
  ok: false,
  error: {
    code: 'unavailable',
    detail: 'Requests under way hold all the memory that there is for them; try again.',
    members: { retry_after_secs: retryAfterSecs },
  },
  endsConnection: true,
};

function holderMemoryRefusal({ bytesMax }: MemoryHolder): RefusedReply {
  const detail = `Your requests under way hold ${bytesMax} bytes, as many as they may; let some of them end.`;
  return {
    ok: false,
    error: { code: 'rate_limited', detail, members: { retry_after_secs: retryAfterSecs } },
    endsConnection: true,
  };
}
