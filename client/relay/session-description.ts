/**
 * Converts between a session and the SDP of a connection with one data channel and nothing else (RFC 8866, 8839, 8841).
 */
import type { Bytes } from '../../shared/relay/byte-reader.ts';
import { fromHex, hexPairsOf } from '../../shared/relay/hex.ts';
import {
  isSingleDeviceAddress,
  type AddressKind,
  type PeerSession,
  type IceCandidate,
} from '../../shared/relay/session-codes.ts';
import { messageBytesMax } from './data-channel.ts';

/**
 * Reads the session from SDP. Returns undefined if the SDP has no address that another device can reach, for example
 * because this device has no network.
 */
export function sessionOf(sdp: string): PeerSession | undefined {
  const candidates = candidatesOf(sdp);
  const ufrag = /^a=ice-ufrag:(\S+)/m.exec(sdp)?.[1];
  const password = /^a=ice-pwd:(\S+)/m.exec(sdp)?.[1];
  const fingerprint = /^a=fingerprint:sha-256 (\S+)/im.exec(sdp)?.[1];
  if (!ufrag || !password || !fingerprint) throw new Error('The browser describes its connection in another way.');
  if (candidates.length === 0) return undefined;
  return { ufrag, password, fingerprint: fromHex(fingerprint.replaceAll(':', '')), candidates };
}

/** Writes SDP for the session. All other lines are constants. */
export function sdpOf(type: 'offer' | 'answer', { ufrag, password, fingerprint, candidates }: PeerSession): string {
  const lines = [
    'v=0',
    'o=- 1 1 IN IP4 0.0.0.0',
    's=-',
    't=0 0',
    'a=group:BUNDLE 0',
    'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
    'c=IN IP4 0.0.0.0',
    'a=mid:0',
    `a=ice-ufrag:${ufrag}`,
    `a=ice-pwd:${password}`,
    `a=fingerprint:sha-256 ${hexPairsOf(fingerprint).join(':').toUpperCase()}`,
    `a=setup:${type === 'offer' ? 'actpass' : 'active'}`,
    'a=sctp-port:5000',
    `a=max-message-size:${messageBytesMax}`,
    ...candidates.map(
      (candidate, index) =>
        `a=candidate:${index + 1} 1 udp ${priorityOf(index)} ${addressText(candidate)} ${candidate.port} typ host`,
    ),
  ];
  return lines.map((line) => `${line}\r\n`).join('');
}

/** Returns the priority of a host candidate of the first component (RFC 8445, 5.1.2.1). */
const priorityOf = (index: number): number => 126 * 2 ** 24 + (65_535 - index) * 2 ** 8 + 255;

/** Returns the UDP candidates. TCP is left out, since browsers only open TCP connections and accept none. */
function candidatesOf(sdp: string): IceCandidate[] {
  const found = [...sdp.matchAll(/^a=candidate:\S+ 1 udp (\d+) (\S+) (\d+) typ host/gim)];
  return found
    .toSorted(([, one], [, other]) => Number(other) - Number(one))
    .flatMap(([, , text = '', port]) => {
      const address = readAddress(text);
      return address ? [{ ...address, port: Number(port) }] : [];
    })
    .filter(isSingleDeviceAddress);
}

function readAddress(text: string): { kind: AddressKind; address: Bytes } | undefined {
  const uuid = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.local$/i.exec(text)?.[1];
  if (uuid) return { kind: 'mdns', address: fromHex(uuid.replaceAll('-', '')) };
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(text))
    return { kind: 'ipv4', address: Uint8Array.from(text.split('.'), Number) };
  const address = bytesOfIpv6(text);
  return address && { kind: 'ipv6', address };
}

const ipv6GroupCount = 8;

/** Reads an IPv6 address. A `::` in it stands for all missing groups of zeros. */
function bytesOfIpv6(text: string): Bytes | undefined {
  const [head = [], tail, ...more] = text.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const missing = ipv6GroupCount - head.length - (tail?.length ?? 0);
  const groups = tail ? [...head, ...Array<string>(Math.max(0, missing)).fill('0'), ...tail] : head;
  const isAddress =
    more.length === 0 && groups.length === ipv6GroupCount && groups.every((group) => /^[\da-f]{1,4}$/i.test(group));
  return isAddress ? fromHex(groups.map((group) => group.padStart(4, '0')).join('')) : undefined;
}

function addressText({ kind, address }: IceCandidate): string {
  const pairs = hexPairsOf(address);
  switch (kind) {
    case 'ipv4':
      return address.join('.');
    case 'ipv6':
      return pairs.join('').match(/.{4}/g)?.join(':') ?? '';
    case 'mdns':
      return `${pairs.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}.local`;
  }
}
