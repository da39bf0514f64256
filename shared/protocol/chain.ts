/**
 * A hash chain over the mutations of a client. If the device and the server compute the same chain up to a sequence
 * number, they have the same mutations up to that number. After a fork, two copies of a device have different mutations
 * under one number. From that number on, their chains differ.
 *
 *   digest = hash(JCS([name, version, args]))      chain_0 = ''      chain_n = hash(chain_(n-1) + digest_n)
 *
 * `hash` is the first 32 lower-case hexadecimal digits of SHA-256; JCS is RFC 8785. This file builds the texts. Device
 * and server each have a SHA-256 of their own.
 */
import { canonicalJson } from './canonical-json.ts';

/** The chain of a client without mutations. */
export const chainStart = '';

export const chainDigitCount = 32;

/** Returns the text whose hash is a mutation's digest. A broken mutation may lack a name, a version or args. */
export function digestText({ name, version, args }: { name?: unknown; version?: unknown; args?: unknown }): string {
  return canonicalJson([name ?? null, version ?? 1, args ?? null]);
}

/** Returns the text whose hash is the chain after the next mutation. */
export const nextChainInput = (chain: string, digest: string): string => chain + digest;
