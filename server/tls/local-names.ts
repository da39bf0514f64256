/**
 * The addresses and names of local networks. The server makes certificates only for these, and the authority that
 * phones install may sign only these. A thief of the authority's key therefore cannot pretend to be a public site.
 */
import { BlockList, isIP } from 'node:net';
import type { NetworkInterfaceInfo } from 'node:os';

interface Subnet {
  address: string;
  prefix: number;
  family: 'ipv4' | 'ipv6';
}

/** The addresses that no public host has (RFC 1918, 3927, 4193, 6598), and the addresses of the machine itself. */
export const localSubnets: readonly Subnet[] = [
  { address: '10.0.0.0', prefix: 8, family: 'ipv4' },
  { address: '172.16.0.0', prefix: 12, family: 'ipv4' },
  { address: '192.168.0.0', prefix: 16, family: 'ipv4' },
  { address: '169.254.0.0', prefix: 16, family: 'ipv4' },
  { address: '100.64.0.0', prefix: 10, family: 'ipv4' },
  { address: '127.0.0.0', prefix: 8, family: 'ipv4' },
  { address: 'fc00::', prefix: 7, family: 'ipv6' },
  { address: '::1', prefix: 128, family: 'ipv6' },
];

/**
 * The domains that the public DNS does not have (RFC 6761, 6762, 8375, and ICANN's `internal`), and the usual `lan`.
 */
export const localDomains: readonly string[] = ['localhost', 'local', 'home.arpa', 'internal', 'lan'];

const localAddresses = new BlockList();
for (const { address, prefix, family } of localSubnets) localAddresses.addSubnet(address, prefix, family);

export function isLocalAddress(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && localAddresses.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

export function isLocalName(name: string): boolean {
  return localDomains.some((domain) => name === domain || name.endsWith(`.${domain}`));
}

interface NameSources {
  hostname: string;
  interfaces: Record<string, NetworkInterfaceInfo[] | undefined>;
  /** Further names under which phones reach the server: `HOST` and the host of `PUBLIC_URL`. */
  others: readonly string[];
}

/** Limits the names of a certificate, since a machine with many virtual networks has many addresses. */
const namesMax = 100;

/** Lists the local addresses and names of the machine, in the same order whatever the order of its interfaces. */
export function listLocalNames({ hostname, interfaces, others }: NameSources): string[] {
  const addresses = Object.values(interfaces).flatMap((list) => list ?? []);
  const name = hostname.toLowerCase();
  const names = [
    'localhost',
    '127.0.0.1',
    '::1',
    ...others.map((other) => other.toLowerCase()),
    name.includes('.') ? name : `${name}.local`,
    ...addresses.map(({ address }) => address).toSorted(),
  ];
  return [...new Set(names)].filter((each) => isLocalAddress(each) || isHostName(each)).slice(0, namesMax);
}

const isHostName = (name: string): boolean => /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(name) && isLocalName(name);
