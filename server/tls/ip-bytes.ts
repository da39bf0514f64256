import { isIPv4 } from 'node:net';

/** Returns the 4 bytes of an IPv4 address or the 16 of an IPv6 address, in network order. The address must be valid. */
export function ipBytes(address: string): Uint8Array {
  return isIPv4(address) ? Uint8Array.from(address.split('.'), Number) : ipv6Bytes(address);
}

/** Returns the mask whose first `prefix` bits are set. */
export function maskBytes(prefix: number, byteCount: number): Uint8Array {
  return Uint8Array.from({ length: byteCount }, (_, index) => {
    const bits = Math.min(8, Math.max(0, prefix - 8 * index));
    return 0xff & (0xff << (8 - bits));
  });
}

const ipv6Groups = 8;

function ipv6Bytes(address: string): Uint8Array {
  const [left = [], right = []] = address.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: ipv6Groups - left.length - right.length }, () => '0');
  const groups = [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16));
  return Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}
