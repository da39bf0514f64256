/** The verbs of a device that carries for devices without a network. */
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
   * Emits what this device carries for others. The device delivers it while its engine is open, after what it has to send
   * itself.
   */
  carrying$: Observable<Carrying>;
  /** Begins to read what a device shows as codes. What is read whole is carried like anything else. */
  readCodes(): Promise<CodeReader>;
  /** Emits what was read from screens, the newest first, with the receipts that people type into those devices. */
  readCodes$: Observable<ReadCode[]>;
}

/** Counts the messages that this device carries for others, without those that are still being received. */
export interface Carrying {
  messages: number;
  bytes: number;
  /** When the oldest of them came, by the clock of this device; null if there is none. */
  oldest_at: string | null;
}

/** A message that this device read from a screen. */
export interface ReadCode {
  /** The name that the screen shows, too. */
  name: string;
  /** The time by the clock of this device, in ISO 8601. */
  taken_at: string;
  delivered: boolean;
  /** True if the server will never open it. The bytes are gone, and the device has all of it. */
  refused: boolean;
  /** The person types it into the device: `XXXX-XXXX`. Null before the delivery, and where the server gave none. */
  receipt: string | null;
}

export interface CarryOptions {
  /** Called when more was taken, or an answer was given back. */
  onProgress?: (progress: CarryProgress) => void;
}

/** Counts the work that came over in one meeting with a device. */
export interface CarryProgress {
  /** The size of what the device gave and this one has on its disk, sealed. Nobody here can tell what is in it. */
  bytes: number;
  /** How many messages of the device are whole here. */
  messages: number;
  /** How many messages had the server's answer given back. */
  answered: number;
}

export interface CarryResult {
  /** Why the channel ended: `full` if this device could not store what came, `lost` if it broke or the other side fell silent. */
  ended: ByeCode | 'lost';
}

export interface CodeReader {
  /** Takes the text of a QR code that the camera saw. Resolves when what came with it is on the disk. */
  add(text: string): Promise<CodeProgress>;
}

/** `name` is on the device's screen, too. `have` and `total` count codes. */
export type CodeProgress =
  /** No code of a hand-over, or one that was seen before. */
  | { kind: 'nothing' }
  | { kind: 'part'; name: string; have: number; total: number }
  | { kind: 'whole'; name: string }
  /** This device has no room for it now. Its next code tries again. */
  | { kind: 'full'; name: string }
  /** This device failed to store it, since its disk is full. Its next code tries again. */
  | { kind: 'not_stored'; name: string }
  /** The server of this device never opens it: it is of another one, or this one has told so before. Nothing is stored. */
  | { kind: 'other_server' | 'refused'; name: string };
