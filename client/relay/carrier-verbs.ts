/** The verbs of a device that carries for devices without a network. */
import type { Observable } from 'rxjs';
import type { Carrying } from './carried-messages.ts';
import type { ByteChannel } from './frame-link.ts';

export interface CarrierVerbs {
  /**
   * Takes sealed requests from a device without a network over the channel, and brings it the answers that are there.
   * Resolves when the channel has ended, whoever ended it.
   */
  carry(channel: ByteChannel): Promise<void>;
  /**
   * Emits what this device carries for others. The device delivers it while its engine is open and it has nothing of its own
   * to send.
   */
  carrying$: Observable<Carrying>;
}
