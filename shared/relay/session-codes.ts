/**
 * Encodes the two QR codes by which two devices open a WebRTC data channel: one device shows an offer, the other reads
 * it and shows an answer.
 *
 *   code        base45 of: kind (1 byte: 128 offer, 129 answer) │ offer (4, only in an answer) │ ufrag │ password
 *               │ fingerprint (32) │ number of candidates (1) │ candidates
 *   ufrag, password   length (1 byte: 4 to 32, 22 to 63) │ characters of ICE, in ASCII
 *   candidate   kind (1 byte: 4 IPv4, 6 IPv6, 7 mDNS) │ address (4, 16, or the 16 of the UUID in UUID.local) │ port (2)
 *
 * `offer` is the first 4 bytes of the offer's fingerprint. The rest of the SDP is the same for all connections: UDP,
 * host candidates in the order of their priority, one negotiated data channel (id 0), SCTP port 5000, the answering
 * side active. The first byte distinguishes these codes from the codes of a message, which begin with a version below
 * 128.
 */
import { fromBase45, toBase45 } from './base45.ts';
import {
  ByteReader,
  concat,
  decodeOrUndefined,
  throwMalformed,
  uint16,
  uint8,
  utf8,
  type Bytes,
} from './byte-reader.ts';

export type AddressKind = 'ipv4' | 'ipv6' | 'mdns';

export interface IceCandidate {
  kind: AddressKind;
  address: Bytes;
  port: number;
}

export interface PeerSession {
  ufrag: string;
  password: string;
  /** The SHA-256 of the phone's DTLS certificate. */
  fingerprint: Bytes;
  /** The ICE candidates, the most preferred first. */
  candidates: IceCandidate[];
}

/** The content of a code. In an answer, `offer` identifies the offer that it answers. */
export type SessionCode =
  | { kind: 'offer'; session: PeerSession }
  | { kind: 'answer'; offer: Bytes; session: PeerSession };

const kindNumbers = { offer: 128, answer: 129 } satisfies Record<SessionCode['kind'], number>;
const addressNumbers = { ipv4: 4, ipv6: 6, mdns: 7 } satisfies Record<AddressKind, number>;
const addressBytes = { ipv4: 4, ipv6: 16, mdns: 16 } satisfies Record<AddressKind, number>;
const addressKinds = Object.keys(addressNumbers) as AddressKind[];
const fingerprintBytes = 32;
const offerBytes = 4;
/** The most candidates with which a code still fits a QR code of version 10 with error correction level L. */
export const candidatesMax = 6;

/** RFC 8839, 5.4 allows 256 characters for the ufrag and the password. Browsers use at most 8 and 32. */
const ufragPattern = /^[A-Za-z0-9+/]{4,32}$/;
const passwordPattern = /^[A-Za-z0-9+/]{22,63}$/;

/** Returns the bytes that identify an offer in its answer. */
export const offerIdOf = ({ fingerprint }: PeerSession): Bytes => fingerprint.slice(0, offerBytes);

export function encodeSession(code: SessionCode): string {
  const { ufrag, password, fingerprint, candidates } = code.session;
  const parts = candidates
    .slice(0, candidatesMax)
    .flatMap(({ kind, address, port }) => [uint8(addressNumbers[kind]), address, uint16(port)]);
  return toBase45(
    concat(
      uint8(kindNumbers[code.kind]),
      code.kind === 'answer' ? code.offer : new Uint8Array(),
      uint8(ufrag.length),
      utf8(ufrag),
      uint8(password.length),
      utf8(password),
      fingerprint,
      uint8(Math.min(candidates.length, candidatesMax)),
      ...parts,
    ),
  );
}

/** Returns undefined if the text is neither an offer nor an answer, for example the text of another QR code. */
export function decodeSession(text: string): SessionCode | undefined {
  const bytes = fromBase45(text);
  return bytes && decodeOrUndefined(() => decodeBytes(new ByteReader(bytes)));
}

function decodeBytes(reader: ByteReader): SessionCode | undefined {
  switch (reader.uint8()) {
    case kindNumbers.offer:
      return { kind: 'offer', session: decodeFields(reader) };
    case kindNumbers.answer:
      return { kind: 'answer', offer: reader.bytes(offerBytes), session: decodeFields(reader) };
    default:
      return undefined;
  }
}

function decodeFields(reader: ByteReader): PeerSession {
  const ufrag = readText(reader, ufragPattern);
  const password = readText(reader, passwordPattern);
  const fingerprint = reader.bytes(fingerprintBytes);
  const count = reader.uint8();
  if (count === 0 || count > candidatesMax) throwMalformed('a session has no such number of candidates');
  const candidates = Array.from({ length: count }, () => readCandidate(reader));
  return reader.isAtEnd ? { ufrag, password, fingerprint, candidates } : throwMalformed('a session is too long');
}

function readText(reader: ByteReader, pattern: RegExp): string {
  const text = String.fromCharCode(...reader.bytes(reader.uint8()));
  return pattern.test(text) ? text : throwMalformed('a text has characters that ICE has not');
}

function readCandidate(reader: ByteReader): IceCandidate {
  const number = reader.uint8();
  const kind =
    addressKinds.find((one) => addressNumbers[one] === number) ?? throwMalformed('an address has no such kind');
  const address = reader.bytes(addressBytes[kind]);
  const port = reader.uint16();
  const candidate = { kind, address, port };
  return isSingleDeviceAddress(candidate) ? candidate : throwMalformed('a candidate is no device');
}

/**
 * Tells whether a candidate addresses one device. Multicast and unspecified addresses do not, and nothing may be sent
 * to them.
 */
export function isSingleDeviceAddress({ kind, address: [first = 0, ...rest], port }: IceCandidate): boolean {
  if (port === 0) return false;
  switch (kind) {
    case 'ipv4':
      return first > 0 && first < 224;
    case 'ipv6':
      return first < 255 && (first > 0 || rest.some((byte) => byte > 0));
    case 'mdns':
      return true;
  }
}
