/** Whose word counts on where a request comes from (`X-Forwarded-For`). Nobody else's does: anyone can write the header. */
import { isIP } from 'node:net';

/** How many proxies stand before the server, or the addresses that they have. */
export type TrustedProxies = number | string[];

const proxiesMax = 10;
/** Of Express: 127.0.0.0/8 and ::1, the link-local and the private networks. */
const networkNames = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** From the words of `TRUST_PROXY`; undefined when they mean nothing. */
export function readTrustedProxies(text: string): TrustedProxies | undefined {
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
