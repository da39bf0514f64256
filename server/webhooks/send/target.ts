/**
 * Decides to which URLs the server sends webhooks. The owner of an endpoint must not reach the server's own network
 * through the endpoint. Addresses of private networks are therefore refused, both in a URL and as the address of a host
 * name.
 */
import { BlockList, isIP } from 'node:net';

/** IPv4 ranges without public unicast addresses (IANA special-purpose registries, RFC 6890). */
const nonPublicIpv4Ranges = [
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
];

/**
 * The only IPv6 range with public addresses (RFC 4291). The ranges in `nonPublicIpv6Ranges` are parts of it without
 * public addresses.
 */
const publicIpv6Range = '2000::/3';
const nonPublicIpv6Ranges = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

/** The targets that the operator allows in addition to public ones, for endpoints in the operator's own network. */
export interface AllowedTargets {
  ranges: BlockList;
  http: boolean;
}

/** Returns true if the machine itself may resolve a name that DNS does not know, such as by its hosts file. */
export const mayUseMachineResolver = ({ ranges }: AllowedTargets): boolean => ranges.rules.length > 0;

/** Allows only public HTTPS targets. */
export const publicTargets: AllowedTargets = { ranges: new BlockList(), http: false };

/** Parses `GEMBA_WEBHOOK_ALLOW`, such as `10.0.0.0/8,http`. Returns undefined if the text is invalid. */
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

const nonPublicAddresses = blockListOf([...nonPublicIpv4Ranges, ...nonPublicIpv6Ranges]);
const publicIpv6Addresses = blockListOf([publicIpv6Range]);
const ipv4MappedAddresses = blockListOf(['::ffff:0:0/96']);

function blockListOf(texts: string[]): BlockList {
  const ranges = new BlockList();
  for (const text of texts) addRange(ranges, text);
  return ranges;
}

/** Treats an IPv4-mapped IPv6 address like its IPv4 address. */
export function isRefusedAddress(address: string, { ranges }: AllowedTargets): boolean {
  if (isIP(address) === 0) return true;
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  if (ranges.check(address, family)) return false;
  const isMapped = family === 'ipv6' && ipv4MappedAddresses.check(address, family);
  return (
    nonPublicAddresses.check(address, family) ||
    (family === 'ipv6' && !isMapped && !publicIpv6Addresses.check(address, family))
  );
}

/** Returns why the URL is refused as the target of a webhook; undefined if it is allowed. */
export function targetFlaw(text: string, allowed: AllowedTargets): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) return 'is not a URL';
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && allowed.http)) return 'must begin with https:';
  if (url.username !== '' || url.password !== '') return 'must have no user name and no password';
  const host = hostOf(url);
  if (isIP(host) !== 0 && isRefusedAddress(host, allowed)) return 'names an address that is not public';
  return undefined;
}

/**
 * Returns the host without brackets. The URL parser has already normalized IPv4 addresses in other forms, such as
 * 0x7f.1.
 */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');
