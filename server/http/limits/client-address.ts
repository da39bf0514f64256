/** Whom failures and requests count against: an IPv4 address, or the /64 network of an IPv6 one, which commonly belongs to one place. */
import { isIP, isIPv6 } from 'node:net';

export function clientNetwork(address: string): string {
  const plain = plainAddress(address) ?? address;
  return isIPv6(plain) ? groupsOf(plain).slice(0, 4).join(':') + '::/64' : plain;
}

/** Without the brackets and the port that some proxies write; an IPv4 address also where IPv6 stands for it. Undefined when it is none. */
export function plainAddress(text: string): string | undefined {
  const [, bracketed] = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text) ?? [];
  const [, ported] = /^([\d.]+):\d{1,5}$/.exec(text) ?? [];
  const address = (bracketed ?? ported ?? text).replace(/%.*$/, '').toLowerCase();
  if (isIP(address) === 0) return undefined;
  return isIPv6(address) ? (mappedAddress(groupsOf(address)) ?? address) : address;
}

/** IPv4 within IPv6 (RFC 4291, section 2.5.5.2), in dots or in hex. */
function mappedAddress(groups: string[]): string | undefined {
  const [high, low] = groups.slice(6).map((group) => Number.parseInt(group, 16));
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff' || high === undefined || low === undefined) return undefined;
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** The eight groups of RFC 4291, section 2.2, without leading zeros. */
function groupsOf(address: string): string[] {
  const [before = '', after] = withoutDots(address).split('::');
  const [head = [], tail = []] = [before, after ?? ''].map((part) => (part === '' ? [] : part.split(':')));
  const zeros = after === undefined ? 0 : Math.max(0, 8 - head.length - tail.length);
  return [...head, ...Array<string>(zeros).fill('0'), ...tail].map((group) => group.replace(/^0+(?=.)/, ''));
}

function withoutDots(address: string): string {
  return address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_dotted, ...parts: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = parts.slice(0, 4).map(Number);
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
}

export const addressKey = (address = ''): string => `address ${clientNetwork(address)}`;
