/**
 * Opens a data channel between two phones that see each other's QR codes. No server helps them: both must be in one network,
 * such as the hotspot of one of them, which needs no internet.
 *
 *   offering                                   answering
 *   offerChannel() ── code on the screen ───►  answerChannel(code)
 *   accept(code) ◄─── code on the screen ────  code
 *         └──────────── connected ───────────────┘
 */
import { decodeSession, encodeSession, offerNameOf, type Session } from '../../shared/relay/session-codes.ts';
import { byteChannelOf, type ConnectedChannel } from './data-channel.ts';
import type { ByteChannel } from './frame-link.ts';
import { sdpOf, sessionOf } from './session-description.ts';

/** `signal` ends the connection, also after it is open. */
export interface PeerOptions {
  signal: AbortSignal;
}

export interface OfferedChannel {
  /** The text of the QR code that the other phone reads. */
  code: string;
  /**
   * Takes the text of a QR code. Returns undefined if it is no answer to this offer, or if one was taken before. The promise
   * rejects if the two do not reach each other.
   */
  accept(text: string): Promise<ByteChannel> | undefined;
}

export interface ChannelAnswer {
  /** The text of the QR code that the offering phone reads. */
  code: string;
  /** Resolves when the offering phone has read the code. Rejects when the signal aborts. */
  connected: Promise<ByteChannel>;
}

/** Tells the codes of two phones from each other and from all other texts. */
export const sessionCodeKind = (text: string): 'offer' | 'answer' | undefined => decodeSession(text)?.kind;

/** `no_network`: no other device could reach this one. */
export async function offerChannel({ signal }: PeerOptions): Promise<OfferedChannel | 'no_network'> {
  const peer = newPeer(signal);
  await peer.connection.setLocalDescription(await peer.connection.createOffer());
  const session = await gatheredSession(peer);
  if (!session) return 'no_network';
  const offerName = offerNameOf(session);
  let isAnswered = false;
  return {
    code: encodeSession({ kind: 'offer', session }),
    accept(text) {
      const answer = decodeSession(text);
      if (isAnswered || answer?.kind !== 'answer') return undefined;
      if (answer.offer.join() !== offerName.join()) return undefined;
      isAnswered = true;
      return connect(peer, answer.session);
    },
  };
}

/** Returns undefined if the text is no offer: another QR code came before the camera. */
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
  // The caller may look at it later.
  connected.catch(() => undefined);
  const session = await gatheredSession(peer);
  if (!session) return 'no_network';
  return { code: encodeSession({ kind: 'answer', offer: offerNameOf(offer.session), session }), connected };
}

function newPeer(signal: AbortSignal): ConnectedChannel {
  signal.throwIfAborted();
  const connection = new RTCPeerConnection({ iceServers: [] });
  // Both sides make the channel, so that it needs no handshake of its own.
  const channel = connection.createDataChannel('gemba', { negotiated: true, id: 0 });
  const close = () => connection.close();
  signal.addEventListener('abort', close, { once: true });
  // The other phone would find out after 15 s, as far as a browser lets a page say so.
  addEventListener('pagehide', close, { once: true, signal });
  return { connection, channel, signal };
}

async function connect(peer: ConnectedChannel, session: Session): Promise<ByteChannel> {
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

/** An answering phone waits as long as a person needs for the code, whatever its browser says of the connection meanwhile. */
function untilOpen(peer: ConnectedChannel): Promise<ByteChannel> {
  const { channel, signal } = peer;
  return new Promise((resolve, reject) => {
    channel.addEventListener('open', () => resolve(byteChannelOf(peer)), { once: true });
    channel.addEventListener('close', () => reject(new Error('The other phone has left.')), { once: true });
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

/** Without servers the browser has all its candidates within moments. */
async function gatheredSession({ connection, signal }: ConnectedChannel): Promise<Session | undefined> {
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
