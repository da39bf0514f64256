/** The public verbs of a device that carries messages for devices without a network. */
import type { Observable } from 'rxjs';
import type { ByeCode } from '../../shared/relay/frames.ts';
import type { ByteChannel } from './frame-link.ts';

export interface CarrierVerbs {
  /**
   * Takes sealed requests from a device without a network over the channel, and sends it the answers that have come.
   * Resolves when either side has ended the channel. No other code may use the channel's streams. `carry` closes them.
   */
  carry(channel: ByteChannel, options?: CarryOptions): Promise<CarryResult>;
  /**
   * Emits a summary of the messages that this device carries for others. This device delivers the messages while its
   * engine is open, after its own unsent work.
   */
  carrying$: Observable<Carrying>;
  /**
   * Begins to read the QR codes on another device's screen. A message that was read completely is carried like any
   * other.
   */
  readCodes(): Promise<CodeReader>;
  /**
   * Emits the messages that this device read from the screens of other devices, the newest first. Each message has the
   * receipt that a person types into the other device.
   */
  readCodes$: Observable<ReadCode[]>;
}

/** Counts the messages that this device carries for others, without incomplete ones. */
export interface Carrying {
  messages: number;
  bytes: number;
  /** When the oldest message came, by the clock of this device; null if there is none. */
  oldest_at: string | null;
}

/** A message that this device read from a screen. */
export interface ReadCode {
  /** The name of the message. The screen of the other device shows the same name. */
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
  /** The size of the sealed bytes that the other device gave and that are on this device's disk. */
  bytes: number;
  /** How many messages of the other device are complete on this device. */
  messages: number;
  /** The number of these messages for which this device gave the server's answer to the other device. */
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
  /**
   * Takes the text of one QR code that the camera read. Resolves to the progress of the message after this code. If the
   * code completes the message, the progress is `whole` once the message is on this device's disk.
   */
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
  /** This device may not carry more messages or bytes now. The next code of the message tries again. */
  | { kind: 'full'; name: string }
  /** This device could not store the message, since its disk is full. The next code of the message tries again. */
  | { kind: 'not_stored'; name: string }
  /**
   * The server of this device never opens the message: it belongs to another server, or was refused before. Nothing is
   * stored.
   */
  | { kind: 'other_server' | 'refused'; name: string };
