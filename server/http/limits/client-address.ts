/**
 * Returns the network by which a client's requests and failures are counted: an IPv4 address, or the /64 network of an
 * IPv6 address, since a customer usually gets a whole /64 network.
 */
import { isIP, isIPv6 } from 'node:net';

export function clientNetwork(address: string): string {
  const plain = plainAddress(address) ?? address;
  return isIPv6(plain) ? ipv6GroupsOf(plain).slice(0, 4).join(':') + '::/64' : plain;
}

/**
 * Removes the brackets and the port that some proxies add. Turns an IPv4-mapped IPv6 address into IPv4. Returns
 * undefined if the text is no address.
 */
export function plainAddress(text: string): string | undefined {
  const [, bracketed] = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text) ?? [];
  const [, ported] = /^([\d.]+):\d{1,5}$/.exec(text) ?? [];
  const address = (bracketed ?? ported ?? text).replace(/%.*$/, '').toLowerCase();
  if (isIP(address) === 0) return undefined;
  return isIPv6(address) ? (mappedIpv4(ipv6GroupsOf(address)) ?? address) : address;
}

/** Returns the IPv4 address of an IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2); undefined for other addresses. */
function mappedIpv4(groups: string[]): string | undefined {
  const [high, low] = groups.slice(6).map((group) => Number.parseInt(group, 16));
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff' || high === undefined || low === undefined) return undefined;
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** Returns the eight groups of an IPv6 address (RFC 4291, 2.2), without leading zeros. */
function ipv6GroupsOf(address: string): string[] {
  const [before = '', after] = withHexadecimalTail(address).split('::');
  const [head = [], tail = []] = [before, after ?? ''].map((part) => (part === '' ? [] : part.split(':')));
  const zeros = after === undefined ? 0 : Math.max(0, 8 - head.length - tail.length);
  return [...head, ...Array<string>(zeros).fill('0'), ...tail].map((group) => group.replace(/^0+(?=.)/, ''));
}

function withHexadecimalTail(address: string): string {
  return address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_dotted, ...parts: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = parts.slice(0, 4).map(Number);
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
}

export const addressQuotaKey = (address = ''): string => `address ${clientNetwork(address)}`;
