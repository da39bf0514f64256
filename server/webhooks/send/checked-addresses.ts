/**
 * Resolves the host name of an endpoint, and fails if one of its addresses is refused. The process asks the DNS servers
 * directly. The machine's own resolver, `getaddrinfo`, would hold one of the process's four threads for as long as a
 * slow DNS server takes. If DNS gives no address and the operator allows targets in private networks, the machine's own
 * resolver resolves the name, such as by the hosts file.
 */
import { lookup, promises as dns, type LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { promisify } from 'node:util';
import { hostOf, isRefusedAddress, mayUseMachineResolver, type AllowedTargets } from './target.ts';

interface AddressCheckOptions {
  allowed: AllowedTargets;
  /** Aborts the wait for a slow DNS server. */
  signal: AbortSignal;
}

/** Returns at least one address. Rejects with an error whose message is for the owner of the endpoint. */
export async function resolveCheckedAddresses(
  url: URL,
  { allowed, signal }: AddressCheckOptions,
): Promise<LookupAddress[]> {
  const host = hostOf(url);
  // `targetFlaw` has already checked an address in the URL.
  if (isIP(host) !== 0) return [{ address: host, family: isIP(host) }];
  const addresses = await Promise.race([resolveName(host, allowed), rejectOnAbort(signal)]);
  const isRefused = addresses.some(({ address }) => isRefusedAddress(address, allowed));
  if (isRefused) throw new Error(`${host} resolves to an address that is not public`);
  return addresses;
}

async function resolveName(host: string, allowed: AllowedTargets): Promise<LookupAddress[]> {
  const found = await Promise.allSettled([dns.resolve4(host), dns.resolve6(host)]);
  const addresses = found.flatMap((one, index) =>
    one.status === 'fulfilled' ? one.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
  );
  if (addresses.length > 0) return addresses;
  if (mayUseMachineResolver(allowed)) return promisify(lookup)(host, { all: true });
  const codes = found.map((one) =>
    one.status === 'rejected' ? (one.reason as NodeJS.ErrnoException).code : 'ENODATA',
  );
  const failure = codes.find((code) => code !== 'ENODATA' && code !== 'ENOTFOUND');
  throw new Error(failure ? `DNS did not resolve ${host}: ${failure}` : `${host} has no address in DNS`);
}

/** Rejects when the signal aborts, and never resolves. */
export function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(signal.reason as Error);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
  });
}
