/** Whom failures count against: an IPv4 address, or the /64 network of an IPv6 one, which commonly belongs to one place. */
import { isIPv6 } from 'node:net';

export function clientNetwork(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  return isIPv6(address) ? groupsOf(address).slice(0, 4).join(':') + '::/64' : address;
}

/** The eight groups of RFC 4291, section 2.2, without leading zeros. */
function groupsOf(address: string): string[] {
  const [before = '', after] = address.replace(/%.*$/, '').toLowerCase().split('::');
  const [head, tail] = [before, after ?? ''].map((part) => (part === '' ? [] : part.split(':')));
  const zeros = after === undefined ? 0 : Math.max(0, 8 - head!.length - tail!.length);
  return [...head!, ...Array<string>(zeros).fill('0'), ...tail!].map((group) => group.replace(/^0+(?=.)/, ''));
}
