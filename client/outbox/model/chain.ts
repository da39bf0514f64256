/** The device's side of the hash chain that proves whose work a number stands for (shared/protocol/chain.ts). */
import { chainDigits, digestText, linkText } from '../../../shared/protocol/chain.ts';
import { sha256 } from '../../core/hash.ts';
import type { MutationBody } from '../../storage/rows.ts';

const hash = async (text: string): Promise<string> => (await sha256(text)).slice(0, chainDigits);

/** A withdrawn mutation is sent as a noop: its work goes under another number, or cannot be sent. */
export const isWithdrawn = ({ is_void, withdrawn }: MutationBody): boolean =>
  is_void === true || withdrawn !== undefined;

/** Keeps the app from hashing a mutation again at each push. */
const digests = new WeakMap<MutationBody, Promise<string>>();
const links = new WeakMap<MutationBody, { before: string; after: string }>();

export function digestOf(body: MutationBody): Promise<string> {
  const known = digests.get(body);
  if (known) return known;
  const { name, version, args, made_as, withdrawn } = body;
  const made = withdrawn ? { version, args: {} } : (made_as ?? { version, args });
  const digest = hash(digestText({ name, ...made }));
  digests.set(body, digest);
  return digest;
}

/** The chain behind mutations that follow on each other. */
export async function chainAfter(chain: string, bodies: readonly MutationBody[]): Promise<string> {
  const all = await Promise.all(bodies.map(digestOf));
  let before = chain;
  for (const [index, body] of bodies.entries()) {
    const known = links.get(body);
    const after = known?.before === before ? known.after : await hash(linkText(before, all[index]!));
    links.set(body, { before, after });
    before = after;
  }
  return before;
}
