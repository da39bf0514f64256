/** Computes the device's side of the hash chain, which proves that device and server have the same work up to a number. */
import { chainDigits, digestText, linkText } from '../../../shared/protocol/chain.ts';
import { sha256 } from '../../core/hash.ts';
import type { SendableEntry } from './entry.ts';

const hash = async (text: string): Promise<string> => (await sha256(text)).slice(0, chainDigits);

export type Link = Pick<SendableEntry, 'name' | 'version' | 'args' | 'made_as' | 'payload'>;

/** Caches of hashes; entries are never changed in place, so each entry is hashed only once. */
const digests = new WeakMap<Link, Promise<string>>();
const links = new WeakMap<Link, { before: string; after: string }>();

export function digestOf(link: Link): Promise<string> {
  const known = digests.get(link);
  if (known) return known;
  const { name, version, args, made_as = { version, args }, payload } = link;
  // A noop is hashed as the mutation's name with empty args, which is what earlier versions of the app sent for it.
  const made = payload.kind === 'noop' ? { version: made_as.version, args: {} } : made_as;
  const digest = hash(digestText({ name, ...made }));
  digests.set(link, digest);
  return digest;
}

/** The hash chain after `followers`, which are consecutive mutations, when it was `chain` before them. */
export async function chainAfter(chain: string, followers: readonly Link[]): Promise<string> {
  let before = chain;
  for (const [link, digest] of await Promise.all(followers.map(async (one) => [one, await digestOf(one)] as const))) {
    const known = links.get(link);
    const after = known?.before === before ? known.after : await hash(linkText(before, digest));
    links.set(link, { before, after });
    before = after;
  }
  return before;
}
