/**
 * The proof that a number of a client stands for one piece of work, on the device and on the server. Copies of a device
 * give one number to different work; their chains differ from there on.
 *
 *   digest = hash(JCS([name, version, args]))      chain_0 = ''      chain_n = hash(chain_(n-1) + digest_n)
 *
 * `hash` is the first 32 lower-case hexadecimal digits of SHA-256; JCS is RFC 8785. Each side brings its own SHA-256.
 */
import { canonicalJson } from './canonical-json.ts';

/** The chain of a client that has no mutations. */
export const chainStart = '';

export const chainDigits = 32;

/** The text whose hash is a mutation's digest. A broken mutation may lack any of these. */
export function digestText({ name, version, args }: { name?: unknown; version?: unknown; args?: unknown }): string {
  return canonicalJson([name ?? null, version ?? 1, args ?? null]);
}

/** The text whose hash is the chain after a mutation. */
export const linkText = (chain: string, digest: string): string => chain + digest;
