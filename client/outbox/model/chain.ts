/** The device's hash chain over its mutations. It proves that device and server have the same work up to a number. */
import { chainDigits, digestText, nextChainText } from '../../../shared/protocol/chain.ts';
import { sha256 } from '../../core/hash.ts';
import type { OutboxContent } from './content.ts';
import type { SendableEntry } from './entry.ts';

const chainHash = async (text: string): Promise<string> => (await sha256(text)).slice(0, chainDigits);

export type ChainLink = Pick<SendableEntry, 'name' | 'version' | 'args' | 'made_as' | 'payload'>;

/** Cache hashes by entry. Entries are never changed in place, so a cached hash stays valid. */
const digestCache = new WeakMap<ChainLink, Promise<string>>();
const linkCache = new WeakMap<ChainLink, { before: string; after: string }>();

export function digestOf(link: ChainLink): Promise<string> {
  const known = digestCache.get(link);
  if (known) return known;
  const { name, version, args, made_as = { version, args }, payload } = link;
  // Earlier versions of the app sent a mutation with empty args instead of a noop, so both have the same hash.
  const made = payload.kind === 'noop' ? { version: made_as.version, args: {} } : made_as;
  const digest = chainHash(digestText({ name, ...made }));
  digestCache.set(link, digest);
  return digest;
}

/** Extends the hash `chain` by consecutive mutations. */
export async function chainAfter(chain: string, mutations: readonly ChainLink[]): Promise<string> {
  let before = chain;
  for (const [link, digest] of await Promise.all(mutations.map(async (one) => [one, await digestOf(one)] as const))) {
    const known = linkCache.get(link);
    const after = known?.before === before ? known.after : await chainHash(nextChainText(before, digest));
    linkCache.set(link, { before, after });
    before = after;
  }
  return before;
}

/** Returns the hash chain of the device's mutations up to `seq`; undefined if `content` no longer has all of them. */
export async function chainUpTo({ device, pending }: OutboxContent, seq: number): Promise<string | undefined> {
  const { client_id, proven_seq, proven_chain } = device;
  if (proven_seq === undefined || proven_chain === undefined || seq < proven_seq) return undefined;
  const unproven = pending.filter(
    (entry) => entry.client_id === client_id && entry.seq > proven_seq && entry.seq <= seq,
  );
  return unproven.length === seq - proven_seq ? chainAfter(proven_chain, unproven) : undefined;
}
