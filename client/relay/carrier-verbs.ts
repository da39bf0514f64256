/** The public verbs of a device that carries messages for devices without a network. */
import type { Observable } from 'rxjs';
import type { ByeCode } from '../../shared/relay/frames.ts';
import type { ByteChannel } from './frame-link.ts';

export interface CarrierVerbs {
  /**
   * Takes sealed requests from a device without a network over the channel, and brings it the answers that are there.
   * Resolves when the channel has ended, whoever ended it. Nobody else may read or write its streams, which it closes.
   */
  carry(channel: ByteChannel, options?: CarryOptions): Promise<CarryResult>;
  /**
   * Emits a summary of what this device carries for others. The device delivers it while its engine is open, after its
   * own unsent work.
   */
  carrying$: Observable<Carrying>;
  /**
   * Begins to read the QR codes on another device's screen. A message that was read completely is carried like any
   * other.
   */
  readCodes(): Promise<CodeReader>;
  /**
   * Emits the messages that were read from screens, the newest first, with the receipts that people type into those
   * devices.
   */
  readCodes$: Observable<ReadCode[]>;
}

/** Counts the messages that this device carries for others, without incomplete ones. */
export interface Carrying {
  messages: number;
  bytes: number;
  /** When the oldest of them came, by the clock of this device; null if there is none. */
  oldest_at: string | null;
}

/** A message that this device read from a screen. */
export interface ReadCode {
  /** The name that the device's screen shows for this message, too. */
  name: string;
  /** When the message was read, by the clock of this device, in ISO 8601. */
  taken_at: string;
  delivered: boolean;
  /**
   * True if the server will never open the message. This device dropped its bytes; the other device still has the work.
   */
  refused: boolean;
  /**
   * The code that a person types into the other device: `XXXX-XXXX`. Null before the delivery, or if the server sent
   * none.
   */
  receipt: string | null;
}

export interface CarryOptions {
  /** Called when bytes were stored, or an answer was given back. */
  onProgress?: (progress: CarryProgress) => void;
}

/** Counts what came in one meeting with a device. */
export interface CarryProgress {
  /** The size of the sealed bytes that the device gave and that are on this device's disk. */
  bytes: number;
  /** How many messages of the device are complete on this device. */
  messages: number;
  /** How many of these messages had the server's answer given back to the device. */
  answered: number;
}

export interface CarryResult {
  /**
   * Why the channel ended: `full` if this device could not store more, `lost` if the channel broke or the other side
   * fell silent.
   */
  ended: ByeCode | 'lost';
}

export interface CodeReader {
  /** Takes the text of a QR code that the camera read. Resolves when a message that it completes is on the disk. */
  add(text: string): Promise<CodeProgress>;
}

/**
 * The state of a message after a code was read. The other device's screen shows its `name`, too. `have` and `total`
 * count codes.
 */
export type CodeProgress =
  /** The text is no code of a hand-over, or was read before. */
  | { kind: 'nothing' }
  | { kind: 'part'; name: string; have: number; total: number }
  | { kind: 'whole'; name: string }
  /** This device has no room for the message now. The next code of the message tries again. */
  | { kind: 'full'; name: string }
  /** This device could not store the message, since its disk is full. The next code of the message tries again. */
  | { kind: 'not_stored'; name: string }
  /**
   * The server of this device never opens the message: it belongs to another server, or was refused before. Nothing is
   * stored.
   */
  | { kind: 'other_server' | 'refused'; name: string };
