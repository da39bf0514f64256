/** Finds the address at which a phone in the same network reaches this machine. */
import type { NetworkInterfaceInfo } from 'node:os';
import { isLocalAddress } from '../tls/local-names.ts';
import { startText } from './usage.ts';

type NetworkInterfaces = Record<string, NetworkInterfaceInfo[] | undefined>;

/**
 * Lists the addresses at which a phone in the same network may reach the server, the most likely one first. Returns
 * none if the machine has no network.
 */
export function listAddressesForPhones(host: string, interfaces: NetworkInterfaces): string[] {
  if (!isLoopback(host) && !isAnyAddress(host)) return [host];
  const found = Object.entries(interfaces).flatMap(([name, list]) =>
    (list ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal)
      .map(({ address }) => ({
        address,
        rank: (isVirtualInterface(name) ? networksByLikelihood.length + 1 : 0) + networkRankOf(address),
      })),
  );
  return found.toSorted((a, b) => a.rank - b.rank).map(({ address }) => address);
}

/** The usual networks of homes and workshops come first, and addresses that no router gave come last. */
const networksByLikelihood = [/^192\.168\./, /^10\./, /^172\.(1[6-9]|2\d|3[01])\./, /^(?!169\.254\.)/];

function networkRankOf(address: string): number {
  const rank = networksByLikelihood.findIndex((network) => network.test(address));
  return rank === -1 ? networksByLikelihood.length : rank;
}

/** Phones cannot reach the networks of containers, virtual machines and tunnels. */
const isVirtualInterface = (interfaceName: string): boolean =>
  /^(docker|br-|veth|virbr|vmnet|vboxnet|lxc|podman|cni|tun|tap|utun|wg|zt|tailscale)|vethernet|virtualbox|vmware/i.test(
    interfaceName,
  );

/** Returns true for an address that means all interfaces. A browser on this computer gets `localhost` instead. */
export const isAnyAddress = (host: string): boolean => host === '0.0.0.0' || host === '::';

export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.');

interface ListeningAddress {
  /** The server's URL on this computer. */
  url: string;
  host: string;
  port: number;
}

export interface PhoneUrl {
  url: string;
  /** False if the URL works on this computer alone. */
  isForPhones: boolean;
  /** Lines that say what a phone still needs. */
  hint: string;
}

const otherWaysText = '"Phones in the same network" in docs/operations.md says how.';

/** Returns the URL that phones in the same network open. */
export function phoneUrlOf({ url, host, port }: ListeningAddress, interfaces: NetworkInterfaces): PhoneUrl {
  const isOnlyHere = isLoopback(host);
  const [address, ...others] = listAddressesForPhones(isOnlyHere ? '0.0.0.0' : host, interfaces);
  if (isOnlyHere || address === undefined) {
    const example = address === undefined ? '' : `, and they open https://${address}:${port}`;
    const isPublic = address !== undefined && !isLocalAddress(address);
    const lines = isPublic
      ? [
          `This link works on this computer alone. Its address ${address} is a public address, for which phones need a`,
          `certificate that they trust: ${otherWaysText}`,
        ]
      : [
          'This link works on this computer alone. For phones in its network, start with',
          `  ${startText('0.0.0.0')}${example}`,
        ];
    return { url, isForPhones: false, hint: lines.map((line) => `  ${line}\n`).join('') };
  }
  const isSecure = url.startsWith('https:');
  const lines = [
    ...(isSecure ? [] : [`A phone needs HTTPS: ${otherWaysText}`]),
    ...(others.length === 0
      ? []
      : [`Other addresses of this machine, if the phone cannot open this one: ${others.join(', ')}`]),
  ];
  return {
    url: `${isSecure ? 'https' : 'http'}://${address.includes(':') ? `[${address}]` : address}:${port}`,
    isForPhones: true,
    hint: lines.map((line) => `  ${line}\n`).join(''),
  };
}

interface OwnCertificateHint {
  /** The address that the phone opens. */
  url: string;
  fingerprint: string;
  /** The host names and addresses that the certificate is valid for. */
  names: readonly string[];
}

/** Returns the steps by which a phone comes to trust the certificate that the server made for itself. */
export function ownCertificateHint({ url, fingerprint, names }: OwnCertificateHint): string {
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  if (!names.includes(host)) {
    return `  ${host} is no address of a local network, so the certificate does not name it: ${otherWaysText}\n`;
  }
  return [
    '  The phone warns of the certificate, which this server made. Install it first, from this page:',
    `    ${url}/certificate`,
    '  Its SHA-256 fingerprint:',
    `    ${fingerprint}`,
    '',
  ].join('\n');
}
