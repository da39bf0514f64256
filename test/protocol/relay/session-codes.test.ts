/** The QR codes by which two phones open a data channel, and the SDP that they stand for. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { sdpOf, sessionOf } from '../../../client/relay/session-description.ts';
import { fromBase45, toBase45 } from '../../../shared/relay/base45.ts';
import { decodeCode } from '../../../shared/relay/code-frames.ts';
import {
  candidatesMax,
  decodeSession,
  encodeSession,
  offerIdOf,
  type PeerSession,
  type AddressKind,
  type IceCandidate,
} from '../../../shared/relay/session-codes.ts';
import { fromHex } from './hex.ts';

const fingerprint = Uint8Array.from({ length: 32 }, (_, index) => index * 7);

/** The form of SDP that Chromium and Firefox write, with the addresses that each may have. */
const browserSdp = [
  'v=0',
  'o=- 4611731400430051336 2 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'a=group:BUNDLE 0',
  'a=extmap-allow-mixed',
  'a=msid-semantic: WMS',
  'm=application 50443 UDP/DTLS/SCTP webrtc-datachannel',
  'c=IN IP4 192.168.43.7',
  'a=candidate:2 1 udp 2113937150 192.168.43.7 50443 typ host generation 0 network-cost 999',
  'a=candidate:3 1 tcp 1518280447 192.168.43.7 9 typ host tcptype active generation 0',
  'a=candidate:1 1 UDP 2113937151 0a1B2c3d-4e5f-6071-8293-a4b5c6d7e8f9.local 50444 typ host',
  'a=candidate:4 1 udp 2113937149 fd00::7:0:a 50445 typ host generation 0',
  'a=candidate:5 1 udp 1677729535 203.0.113.9 50446 typ srflx raddr 192.168.43.7 rport 50443',
  'a=candidate:6 1 udp 2113937148 fe80::1%wlan0 50447 typ host',
  'a=candidate:7 1 udp 2113937147 0.0.0.0 9 typ host',
  'a=ice-ufrag:Ab/9',
  'a=ice-pwd:pQ0+pQ0+pQ0+pQ0+pQ0+pQ0+',
  'a=ice-options:trickle',
  `a=fingerprint:sha-256 ${Array.from(fingerprint, (byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(':')}`,
  'a=setup:actpass',
  'a=mid:0',
  'a=sctp-port:5000',
  'a=max-message-size:262144',
  '',
].join('\r\n');

const session = sessionOf(browserSdp)!;

test('[RELAY-68] of the SDP of a browser a code keeps the host candidates of UDP, the best first, and the credentials', () => {
  expect(session).toEqual({
    ufrag: 'Ab/9',
    password: 'pQ0+pQ0+pQ0+pQ0+pQ0+pQ0+',
    fingerprint,
    candidates: [
      {
        kind: 'mdns',
        address: Uint8Array.of(10, 27, 44, 61, 78, 95, 96, 113, 130, 147, 164, 181, 198, 215, 232, 249),
        port: 50444,
      },
      { kind: 'ipv4', address: Uint8Array.of(192, 168, 43, 7), port: 50443 },
      { kind: 'ipv6', address: Uint8Array.of(0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 10), port: 50445 },
    ],
  });
  expect(sessionOf(browserSdp.replaceAll(/ udp /gi, ' tcp '))).toBeUndefined();
  expect(() => sessionOf(browserSdp.replace('sha-256', 'sha-512'))).toThrow();
});

test('[RELAY-68] an offer and an answer come back from their codes, and become SDP of the same session', () => {
  const answer = { kind: 'answer', offer: offerIdOf(session), session } as const;
  for (const code of [{ kind: 'offer', session } as const, answer]) {
    const text = encodeSession(code);
    expect(decodeSession(text)).toEqual(code);
    expect(decodeCode(text)).toBeUndefined();
    expect(sessionOf(sdpOf(code.kind, session))).toEqual(session);
  }
  expect(sdpOf('offer', session)).toContain('a=setup:actpass\r\n');
  expect(sdpOf('answer', session)).toContain('a=setup:active\r\n');
  expect(sdpOf('offer', session)).toContain(' 0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9.local 50444 typ host\r\n');
  expect(sdpOf('offer', session)).toContain(' fd00:0000:0000:0000:0000:0007:0000:000a 50445 typ host\r\n');
});

test('[RELAY-68] the largest code fits a QR code of version 10, and a usual one version 6', () => {
  const mdns: IceCandidate = { kind: 'mdns', address: new Uint8Array(16), port: 1 };
  const textOf = (ufrag: number, password: number, candidates: number) => {
    const long = { ufrag: 'u'.repeat(ufrag), password: 'p'.repeat(password), fingerprint };
    const given = Array.from({ length: candidates }, () => mdns);
    return encodeSession({ kind: 'answer', offer: offerIdOf(session), session: { ...long, candidates: given } });
  };
  // 395 and 195 characters of this alphabet fit versions 10 and 6 with error correction level L (ISO/IEC 18004, table 7).
  expect(textOf(32, 63, candidatesMax + 3).length).toBeLessThanOrEqual(395);
  expect(textOf(4, 24, 2).length).toBeLessThanOrEqual(195);
  const most = decodeSession(textOf(32, 63, candidatesMax + 3));
  expect(most?.session.candidates).toHaveLength(candidatesMax);
});

test('[RELAY-72] a text that is neither an offer nor an answer is refused as a value, and so is each code that is a byte shorter or longer', () => {
  const text = encodeSession({ kind: 'offer', session });
  const bytes = fromBase45(text)!;
  for (let length = 0; length < bytes.length; length++) {
    expect(decodeSession(toBase45(bytes.slice(0, length)))).toBeUndefined();
  }
  expect(decodeSession(toBase45(Uint8Array.of(...bytes, 0)))).toBeUndefined();
  for (const other of ['', 'ab', 'https://gemba.example/pair#7K3M-Q9TX']) expect(decodeSession(other)).toBeUndefined();
  const refused: Record<string, Partial<PeerSession>> = {
    'a line break': { ufrag: 'abcd\r\na=x' },
    'a short ufrag': { ufrag: 'abc' },
    'a short password': { password: 'p'.repeat(21) },
    'a long password': { password: 'p'.repeat(64) },
    'no candidate': { candidates: [] },
    'port 0': { candidates: [{ kind: 'ipv4', address: Uint8Array.of(10, 0, 0, 1), port: 0 }] },
    'no address': { candidates: [{ kind: 'ipv4', address: Uint8Array.of(0, 0, 0, 0), port: 1 }] },
    'a broadcast': { candidates: [{ kind: 'ipv4', address: Uint8Array.of(255, 255, 255, 255), port: 1 }] },
    'a group': { candidates: [{ kind: 'ipv6', address: Uint8Array.of(255, 2, ...new Uint8Array(14)), port: 1 }] },
    'no address of IPv6': { candidates: [{ kind: 'ipv6', address: new Uint8Array(16), port: 1 }] },
  };
  for (const [about, fields] of Object.entries(refused)) {
    expect(decodeSession(encodeSession({ kind: 'offer', session: { ...session, ...fields } })), about).toBeUndefined();
  }
  const kinds = Array.from({ length: 256 }, (_, kind) =>
    decodeSession(toBase45(Uint8Array.of(kind, ...bytes.slice(1)))),
  );
  expect(kinds.flatMap((code, kind) => (code?.kind === 'offer' ? [kind] : []))).toEqual([128]);
});

test('[RELAY-72] a code with some other bytes is refused, or is the code of what it decodes to', () => {
  const seed = Number(process.env['GEMBA_SEED'] ?? Math.floor(Math.random() * 1_000_000));
  console.log(`GEMBA_SEED=${seed}`);
  let state = seed;
  const below = (max: number) => ((state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 12) % max;
  let read = 0;
  for (let round = 0; round < 5_000; round++) {
    const bytes = fromBase45(encodeSession({ kind: 'answer', offer: offerIdOf(session), session }))!;
    for (let change = 0; change <= below(3); change++) bytes[below(bytes.length)] = below(256);
    const text = toBase45(bytes);
    const code = decodeSession(text);
    if (!code) continue;
    read++;
    expect(encodeSession(code)).toBe(text);
  }
  expect(read).toBeGreaterThan(100);
});

interface SessionVector {
  kind: 'offer' | 'answer';
  /** Names the offer, in an answer. */
  offer?: string;
  ufrag: string;
  password: string;
  fingerprint: string;
  candidates: { kind: AddressKind; address: string; port: number }[];
  text: string;
}

test('[RELAY-70] [RELAY-72] the vectors of offers and answers are written and read as they say, and others are refused', async () => {
  const file = new URL('../../../docs/relay-vectors.json', import.meta.url);
  const { sessions, refused_sessions } = JSON.parse(await readFile(file, 'utf8')) as {
    sessions: SessionVector[];
    refused_sessions: { about: string; text: string }[];
  };
  expect(sessions.map(({ kind }) => kind)).toEqual(['offer', 'answer']);
  for (const { kind, offer = '', ufrag, password, text, ...hex } of sessions) {
    const candidates = hex.candidates.map(({ address, ...rest }) => ({ ...rest, address: fromHex(address) }));
    const given = { ufrag, password, fingerprint: fromHex(hex.fingerprint), candidates };
    const code = kind === 'offer' ? { kind, session: given } : { kind, offer: fromHex(offer), session: given };
    expect(encodeSession(code)).toBe(text);
    expect(decodeSession(text)).toEqual(code);
  }
  expect(refused_sessions.length).toBeGreaterThan(5);
  for (const { about, text } of refused_sessions) expect(decodeSession(text), about).toBeUndefined();
});
