/** The outcome of a meeting, and the way in which a device takes part in it. */
import type { ByeCode } from '../../shared/relay/frames.ts';
import type { LiveFetch, LiveFetchOptions } from './live-fetch.ts';

/** The outcome of one meeting with a carrier. */
export interface HandOverResult {
  /** How many messages the carrier has whole, also from earlier meetings. */
  given: number;
  /** How many answers of the server it brought. */
  answered: number;
  /** Why the channel ended: `lost` if it broke, or if the carrier fell silent or did nothing for too long. */
  ended: ByeCode | 'lost';
}

export interface LiveMode {
  /** Makes the channel the engine's way to the server. */
  open(options: Pick<LiveFetchOptions, 'send' | 'failures' | 'onClosed'>): LiveFetch;
  /** False if the sync of another tab leads, which cannot send over this channel. */
  isLeading(): boolean;
}
