/**
 * Parses the setting that names the trusted proxies. Without the setting, the server ignores `X-Forwarded-For`, since
 * anyone can send this header.
 */
import { isIP } from 'node:net';

/** The number of proxies between client and server, or the addresses of the proxies. */
export type TrustedProxies = number | string[];

const proxiesMax = 10;
/** The names that Express has for networks: 127.0.0.0/8 with ::1, the link-local networks and the private networks. */
const networkNames = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** Parses `TRUST_PROXY`. Returns undefined if the text is invalid. */
export function parseTrustedProxies(text: string): TrustedProxies | undefined {
  if (/^\d+$/.test(text)) return Number(text) >= 1 && Number(text) <= proxiesMax ? Number(text) : undefined;
  const networks = text.split(',').map((network) => network.trim());
  return networks.every((network) => networkNames.has(network) || isNetwork(network)) ? networks : undefined;
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
