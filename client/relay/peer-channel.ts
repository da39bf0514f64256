/**
 * Opens a data channel between two phones that see each other's QR codes. No server helps them: both must be in one
 * network, such as the hotspot of one of them, which needs no internet.
 *
 *   offering                                   answering
 *   offerChannel() ── code on the screen ───►  answerChannel(code)
 *   accept(code) ◄─── code on the screen ────  code
 *         └──────────── connected ───────────────┘
 */
import { decodeSession, encodeSession, offerIdOf, type PeerSession } from '../../shared/relay/session-codes.ts';
import { byteChannelOf, type ConnectedChannel } from './data-channel.ts';
import type { ByteChannel } from './frame-link.ts';
import { sdpOf, sessionOf } from './session-description.ts';

/** Aborting `signal` ends the connection, also after it has opened. */
export interface PeerOptions {
  signal: AbortSignal;
}

export interface OfferedChannel {
  /** The text of the QR code that the other phone reads. */
  code: string;
  /**
   * Accepts the answer in the text of a QR code. Returns undefined if the text is no answer to this offer, or an answer
   * was accepted before. The promise rejects if the phones cannot reach each other.
   */
  accept(text: string): Promise<ByteChannel> | undefined;
}

export interface ChannelAnswer {
  /** The text of the QR code that the offering phone reads. */
  code: string;
  /** Resolves when the offering phone has read the code. Rejects when the signal aborts. */
  connected: Promise<ByteChannel>;
}

/** Returns the kind of a phone's QR code; undefined for any other text. */
export const sessionCodeKind = (text: string): 'offer' | 'answer' | undefined => decodeSession(text)?.kind;

/** Makes an offer for another phone. Resolves to `no_network` if no other device could reach this one. */
export async function offerChannel({ signal }: PeerOptions): Promise<OfferedChannel | 'no_network'> {
  const peer = newPeer(signal);
  await peer.connection.setLocalDescription(await peer.connection.createOffer());
  const session = await gatheredSession(peer);
  if (!session) return 'no_network';
  const offerId = offerIdOf(session);
  let isAnswered = false;
  return {
    code: encodeSession({ kind: 'offer', session }),
    accept(text) {
      const answer = decodeSession(text);
      if (isAnswered || answer?.kind !== 'answer') return undefined;
      if (answer.offer.join() !== offerId.join()) return undefined;
      isAnswered = true;
      return connect(peer, answer.session);
    },
  };
}

/**
 * Answers the offer in the text of a QR code. Resolves to undefined if the text is no offer, for example because the
 * camera read another code.
 */
export async function answerChannel(
  text: string,
  { signal }: PeerOptions,
): Promise<ChannelAnswer | 'no_network' | undefined> {
  const offer = decodeSession(text);
  if (offer?.kind !== 'offer') return undefined;
  const peer = newPeer(signal);
  const { connection } = peer;
  await connection.setRemoteDescription({ type: 'offer', sdp: sdpOf('offer', offer.session) });
  await connection.setLocalDescription(await connection.createAnswer());
  const connected = untilOpen(peer);
  // The caller may await `connected` later. A rejection until then must not count as unhandled.
  connected.catch(() => undefined);
  const session = await gatheredSession(peer);
  if (!session) return 'no_network';
  return { code: encodeSession({ kind: 'answer', offer: offerIdOf(offer.session), session }), connected };
}

function newPeer(signal: AbortSignal): ConnectedChannel {
  signal.throwIfAborted();
  const connection = new RTCPeerConnection({ iceServers: [] });
  // Both sides create the same channel, which therefore needs no handshake.
  const channel = connection.createDataChannel('gemba', { negotiated: true, id: 0 });
  const close = () => connection.close();
  signal.addEventListener('abort', close, { once: true });
  // Close the connection when the page goes. Otherwise the other phone notices only after 15 s.
  addEventListener('pagehide', close, { once: true, signal });
  return { connection, channel, signal };
}

async function connect(peer: ConnectedChannel, session: PeerSession): Promise<ByteChannel> {
  const { connection } = peer;
  const opened = untilOpen(peer);
  const failed = new Promise<never>((_, reject) =>
    connection.addEventListener('connectionstatechange', () => {
      if (connection.connectionState === 'failed') reject(new Error('The two phones do not reach each other.'));
    }),
  );
  try {
    const described = connection.setRemoteDescription({ type: 'answer', sdp: sdpOf('answer', session) });
    const [channel] = await Promise.all([Promise.race([opened, failed]), described]);
    return channel;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Resolves when the data channel is open. Has no timeout, since a person may need long to show the code. */
function untilOpen(peer: ConnectedChannel): Promise<ByteChannel> {
  const { channel, signal } = peer;
  return new Promise((resolve, reject) => {
    channel.addEventListener('open', () => resolve(byteChannelOf(peer)), { once: true });
    channel.addEventListener('close', () => reject(new Error('The other phone has left.')), { once: true });
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

/** Waits until the browser has all ICE candidates. This takes only moments, since the browser asks no server. */
async function gatheredSession({ connection, signal }: ConnectedChannel): Promise<PeerSession | undefined> {
  await new Promise<void>((resolve, reject) => {
    const look = () => {
      if (connection.iceGatheringState === 'complete') resolve();
    };
    connection.addEventListener('icegatheringstatechange', look);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    look();
  });
  const session = sessionOf(connection.localDescription?.sdp ?? '');
  if (!session) connection.close();
  return session;
}
