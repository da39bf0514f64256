/** Finds the address at which a phone in the same network reaches this machine. */
import type { NetworkInterfaceInfo } from 'node:os';

type NetworkInterfaces = Record<string, NetworkInterfaceInfo[] | undefined>;

/** Returns undefined if the server listens only on the loopback address, or if the machine has no network. */
export function addressForPhones(host: string, interfaces: NetworkInterfaces): string | undefined {
  if (isLoopback(host)) return undefined;
  if (host !== '0.0.0.0' && host !== '::') return host;
  const addresses = Object.values(interfaces).flatMap((list) => list ?? []);
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.');

/** Returns a hint if a phone cannot reach the server or the server has no HTTPS, else an empty text. */
export function phoneSetupHint({ isReachable, isSecure }: { isReachable: boolean; isSecure: boolean }): string {
  if (isReachable && isSecure) return '';
  const missing = isReachable ? 'needs HTTPS' : 'cannot reach this machine at this address, and needs HTTPS';
  return `  A phone ${missing}: "Phones in the same network" in docs/operations.md says how.\n`;
}
