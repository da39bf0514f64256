/**
 * Decides to which URLs the server sends webhooks. Whoever makes an endpoint must not reach the server's own network through
 * it, so addresses of private networks are refused: as text in the URL, and again where a name resolves to one at the moment
 * of connecting.
 */
import { BlockList, isIP } from 'node:net';

/** Ranges that are no public unicast addresses (IANA special-purpose registries, RFC 6890). */
const closedRanges = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/128',
  '::1/128',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

/** The targets that the operator allows besides, for endpoints in the own network. */
export interface AllowedTargets {
  ranges: BlockList;
  http: boolean;
}

export const isOwnNetworkAllowed = ({ ranges, http }: AllowedTargets): boolean => http || ranges.rules.length > 0;

/** Allows public targets alone. */
export const publicTargets: AllowedTargets = { ranges: new BlockList(), http: false };

/** Parses `GEMBA_WEBHOOK_ALLOW`, such as `10.0.0.0/8,http`. Returns undefined for a text that is neither. */
export function parseAllowedTargets(text: string): AllowedTargets | undefined {
  const ranges = new BlockList();
  let http = false;
  for (const part of text.split(',').map((one) => one.trim())) {
    if (part === 'http') http = true;
    else if (part !== '' && !addRange(ranges, part)) return undefined;
  }
  return { ranges, http };
}

function addRange(ranges: BlockList, text: string): boolean {
  const [address = '', bits = '', ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > (family === 4 ? 32 : 128))
    return false;
  ranges.addSubnet(address, Number(bits), family === 4 ? 'ipv4' : 'ipv6');
  return true;
}

const closed = new BlockList();
for (const range of closedRanges) addRange(closed, range);

/** `BlockList` finds an IPv4 address also where it is mapped into IPv6. */
export function isClosedAddress(address: string, { ranges }: AllowedTargets): boolean {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  return isIP(address) === 0 || (closed.check(address, family) && !ranges.check(address, family));
}

/** Returns why the URL is refused as the target of a webhook; undefined if it is allowed. */
export function targetFlaw(text: string, allowed: AllowedTargets): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) return 'is not a URL';
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && allowed.http)) return 'must begin with https:';
  if (url.username !== '' || url.password !== '') return 'must have no user name and no password';
  const host = hostOf(url);
  if (isIP(host) !== 0 && isClosedAddress(host, allowed)) return 'names an address that is not public';
  return undefined;
}

/** The URL parser writes every form of an IPv4 address, such as 0x7f.1, with four decimal numbers. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');
