/**
 * The device's hash chain. Equal chains prove that device and server have the same mutations up to a sequence number.
 */
import { chainDigitCount, digestText, nextChainInput } from '../../../shared/protocol/chain.ts';
import { sha256 } from '../../core/hash.ts';
import type { OutboxContent } from './content.ts';
import type { SendableEntry } from './entry.ts';

const chainHash = async (text: string): Promise<string> => (await sha256(text)).slice(0, chainDigitCount);

export type ChainedMutation = Pick<SendableEntry, 'name' | 'version' | 'args' | 'made_as' | 'payload'>;

/** The hash of each entry. Entries are never changed in place, so a cached hash stays valid. */
const digestCache = new WeakMap<ChainedMutation, Promise<string>>();
const chainCache = new WeakMap<ChainedMutation, { before: string; after: string }>();

export function digestOf(link: ChainedMutation): Promise<string> {
  const known = digestCache.get(link);
  if (known) return known;
  const { name, version, args, made_as = { version, args }, payload } = link;
  // Earlier versions of the app sent a mutation with empty args instead of a noop, so both have the same hash.
  const made = payload.kind === 'noop' ? { version: made_as.version, args: {} } : made_as;
  const digest = chainHash(digestText({ name, ...made }));
  digestCache.set(link, digest);
  return digest;
}

export async function extendChain(chain: string, mutations: readonly ChainedMutation[]): Promise<string> {
  let before = chain;
  for (const [link, digest] of await Promise.all(mutations.map(async (one) => [one, await digestOf(one)] as const))) {
    const known = chainCache.get(link);
    const after = known?.before === before ? known.after : await chainHash(nextChainInput(before, digest));
    chainCache.set(link, { before, after });
    before = after;
  }
  return before;
}

/** Returns undefined if `content` no longer has all mutations up to `seq`. */
export async function chainUpTo({ device, pending }: OutboxContent, seq: number): Promise<string | undefined> {
  const { client_id, proven_seq, proven_chain } = device;
  if (proven_seq === undefined || proven_chain === undefined) return undefined;
  const unproven = pending.filter(
    (entry) => entry.client_id === client_id && entry.seq > proven_seq && entry.seq <= seq,
  );
  return unproven.length === seq - proven_seq ? extendChain(proven_chain, unproven) : undefined;
}
