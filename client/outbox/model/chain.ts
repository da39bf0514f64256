/** Computes the device's side of the hash chain, which proves that device and server have the same work up to a number. */
import { chainDigits, digestText, nextChainText } from '../../../shared/protocol/chain.ts';
import { sha256 } from '../../core/hash.ts';
import type { SendableEntry } from './entry.ts';

const chainHash = async (text: string): Promise<string> => (await sha256(text)).slice(0, chainDigits);

export type ChainLink = Pick<SendableEntry, 'name' | 'version' | 'args' | 'made_as' | 'payload'>;

/** Caches of hashes; entries are never changed in place, so each entry is hashed only once. */
const digestCache = new WeakMap<ChainLink, Promise<string>>();
const linkCache = new WeakMap<ChainLink, { before: string; after: string }>();

export function digestOf(link: ChainLink): Promise<string> {
  const known = digestCache.get(link);
  if (known) return known;
  const { name, version, args, made_as = { version, args }, payload } = link;
  // A noop is hashed as the mutation's name with empty args, which is what earlier versions of the app sent for it.
  const made = payload.kind === 'noop' ? { version: made_as.version, args: {} } : made_as;
  const digest = chainHash(digestText({ name, ...made }));
  digestCache.set(link, digest);
  return digest;
}

/** The hash chain after `followers`, which are consecutive mutations, when it was `chain` before them. */
export async function chainAfter(chain: string, followers: readonly ChainLink[]): Promise<string> {
  let before = chain;
  for (const [link, digest] of await Promise.all(followers.map(async (one) => [one, await digestOf(one)] as const))) {
    const known = linkCache.get(link);
    const after = known?.before === before ? known.after : await chainHash(nextChainText(before, digest));
    linkCache.set(link, { before, after });
    before = after;
  }
  return before;
}
