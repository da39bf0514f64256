/** Finds the address at which a phone in the same network reaches this machine. */
import type { NetworkInterfaceInfo } from 'node:os';

type NetworkInterfaces = Record<string, NetworkInterfaceInfo[] | undefined>;

/** Returns undefined if the server listens only on the loopback address, or if the machine has no network. */
export function addressForPhones(host: string, interfaces: NetworkInterfaces): string | undefined {
  if (isLoopback(host)) return undefined;
  if (!isAnyAddress(host)) return host;
  const addresses = Object.values(interfaces).flatMap((list) => list ?? []);
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
}

/** A browser may refuse such an address, so links name another one. */
export const isAnyAddress = (host: string): boolean => host === '0.0.0.0' || host === '::';

export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.');

/** Returns a hint if a phone cannot reach the server or the server has no HTTPS, else an empty text. */
export function phoneSetupHint({ isReachable, isSecure }: { isReachable: boolean; isSecure: boolean }): string {
  if (isReachable && isSecure) return '';
  const problems = [isReachable ? '' : 'cannot reach this machine at this address', isSecure ? '' : 'needs HTTPS'];
  const missing = problems.filter(Boolean).join(', and ');
  return `  A phone ${missing}: "Phones in the same network" in docs/operations.md says how.\n`;
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
    return `  ${host} is no address of a local network, so the certificate does not name it: "Phones in the same network" in docs/operations.md says how.\n`;
  }
  return [
    '  The phone warns of the certificate, which this server made. Install it first, from this page:',
    `    ${url}/certificate`,
    '  Its SHA-256 fingerprint:',
    `    ${fingerprint}`,
    '',
  ].join('\n');
}
