/** Opens a data channel between two pages, as two phones do that read each other's codes. */
import type { Page } from 'playwright-core';
import type { ChannelAnswer, ByteChannel, OfferedChannel } from '../../client/client.ts';
import type { ChannelSide } from '../scenario/relay/channel-side.ts';
import type { Side } from '../scenario/relay/byte-channel-contract.ts';
import { pageVerb } from './in-page.ts';

declare global {
  interface Window {
    /** Ends the connection of this page. */
    leaving: AbortController;
    offered: OfferedChannel;
    answered: ChannelAnswer;
    channel: ByteChannel;
    side: ChannelSide;
  }
}

export const offer = pageVerb(async () => {
  window.leaving = new AbortController();
  const offered = await window.relay.offerChannel({ signal: window.leaving.signal });
  if (offered === 'no_network') return offered;
  window.offered = offered;
  return offered.code;
});

/** Returns null if the text is no offer, and `no_network` as the engine does. */
export const answer = pageVerb(async (text: string) => {
  window.leaving = new AbortController();
  const answered = await window.relay.answerChannel(text, { signal: window.leaving.signal });
  if (!answered || answered === 'no_network') return answered ?? null;
  window.answered = answered;
  return answered.code;
});

/** Returns false if the text is no answer to the offer of this page. */
export const accept = pageVerb(async (text: string) => {
  const accepted = window.offered.accept(text);
  if (accepted) window.channel = await accepted;
  return accepted !== undefined;
});

export const untilConnected = pageVerb(async () => {
  window.channel = await window.answered.connected;
});

/** Returns the codes that the pages showed. */
export async function connectPages(near: Page, far: Page): Promise<{ offered: string; answered: string }> {
  const offered = await offer(near);
  const answered = (await answer(far, offered)) ?? '';
  if (!(await accept(near, answered))) throw new Error('The answer was not taken.');
  await untilConnected(far);
  return { offered, answered };
}

const takeSide = pageVerb(() => {
  window.side = new window.relay.ChannelSide(window.channel);
});

/** Takes the open channel of a page, for the suite of channels. */
export async function sideInPage(page: Page): Promise<Side> {
  await takeSide(page);
  return {
    beginWriting: (lengths) => beginWriting(page, lengths),
    untilTaken: () => untilTaken(page),
    takenBytes: () => takenBytes(page),
    read: (bytesMin) => read(page, bytesMin ?? null),
    close: () => close(page),
    abort: () => abort(page),
    stopReading: () => stopReading(page),
  };
}

const beginWriting = pageVerb((lengths: number[]) => window.side.beginWriting(lengths));
const untilTaken = pageVerb(() => window.side.untilTaken());
const takenBytes = pageVerb(() => window.side.takenBytes());
const read = pageVerb((bytesMin: number | null) => window.side.read(bytesMin ?? undefined));
const close = pageVerb(() => window.side.close());
const abort = pageVerb(() => window.side.abort());
const stopReading = pageVerb(() => window.side.stopReading());
