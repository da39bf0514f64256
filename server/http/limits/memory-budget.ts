/** Bounds the bytes that requests hold in this process: of one token, one account, one address and all together. */
import { publicBodyBytesMax, pushBodyBytesMax } from '../../../shared/schema/limits.ts';
import type { Caller } from '../authenticate.ts';
import type { RefusedReply } from '../reply.ts';
import { addressKey } from './client-address.ts';

/** Whoever is charged for bytes. A request is charged to each of its payers. */
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

/** Room for two whole pushes of a token at once, or for hundreds of pairing devices behind an address. */
export const bodyMemoryLimits: MemoryLimits = {
  bytesPerTokenMax: 2 * pushBodyBytesMax,
  bytesPerAccountMax: 4 * pushBodyBytesMax,
  bytesPerAddressMax: 256 * publicBodyBytesMax,
  bytesMax: 16 * pushBodyBytesMax,
};

/** Room for the largest answers, and for some pages of a pull at once. */
export const answerMemoryLimits: MemoryLimits = {
  bytesPerTokenMax: 64 * mebibyte,
  bytesPerAccountMax: 128 * mebibyte,
  bytesPerAddressMax: 16 * mebibyte,
  bytesMax: 256 * mebibyte,
};

export interface MemoryBudget {
  limits: MemoryLimits;
  /** Holds nothing at first. */
  lease(payers: Payer[]): MemoryLease;
}

/** A request with a token is charged to it and its account, another one to its address. */
export function payersOf(limits: MemoryLimits, { accountId, tokenHash }: Caller, address: string | undefined): Payer[] {
  if (accountId === '') return [{ key: addressKey(address), bytesMax: limits.bytesPerAddressMax }];
  return [
    { key: `token ${tokenHash}`, bytesMax: limits.bytesPerTokenMax },
    { key: `account ${accountId}`, bytesMax: limits.bytesPerAccountMax },
  ];
}

export interface MemoryLease {
  /** Holds so many bytes more, or none and gives the refusal to answer with. */
  take(bytes: number): RefusedReply | undefined;
  /** Safe to call twice. */
  release(): void;
}

export function createMemoryBudget(limits: MemoryLimits): MemoryBudget {
  const serverContent = new Map<string, number>();
  const held = ({ key }: Payer): number => serverContent.get(key) ?? 0;
  const everybody: Payer = { key: 'everybody', bytesMax: limits.bytesMax };

  const add = (payer: Payer, bytes: number): void => {
    const sum = held(payer) + bytes;
    if (sum > 0) serverContent.set(payer.key, sum);
    else serverContent.delete(payer.key);
  };

  return {
    limits,
    lease(payers) {
      const charged = [...payers, everybody];
      let leased = 0;
      return {
        take(bytes) {
          const full = charged.find((payer) => held(payer) + bytes > payer.bytesMax);
          if (full) return full === everybody ? processIsFull : payerIsFull(full);
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

/** Long enough for requests under way to end, most of which take milliseconds. */
const retryAfterSecs = 5;

const processIsFull: RefusedReply = {
  ok: false,
  error: {
    code: 'unavailable',
    detail: 'Requests under way hold all the memory that there is for them; try again.',
    members: { retry_after_secs: retryAfterSecs },
  },
  endsConnection: true,
};

function payerIsFull({ bytesMax }: Payer): RefusedReply {
  const detail = `Your requests under way hold ${bytesMax} bytes, as many as they may; let some of them end.`;
  return {
    ok: false,
    error: { code: 'rate_limited', detail, members: { retry_after_secs: retryAfterSecs } },
    endsConnection: true,
  };
}
