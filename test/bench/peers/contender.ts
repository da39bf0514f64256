/** Contenders: Gemba and each of its peers, behind one interface. */
import type { Documents, Recording } from './work.ts';

export interface Contender {
  /** Starts the server in a process of its own. */
  start(dataDir: string): Promise<RunningContender>;
}

export interface RunningContender {
  /** The server's address, behind which a line may stand. */
  url: string;
  /** Makes an empty account, database or room. */
  newSpace(): Promise<string>;
  /** Makes a space that holds the documents. */
  filledSpace(documents: Documents): Promise<string>;
  openDevice(address: DeviceAddress): Promise<Device>;
  stop(): Promise<void>;
}

export interface DeviceAddress {
  url: string;
  space: string;
}

export interface Device {
  /** Stores recordings on the device and sends nothing yet. */
  record(recordings: Recording[]): Promise<void>;
  /** Resolves when the server has all that the device recorded, and the device all that the server has. */
  settle(): Promise<void>;
  /** The runs that the device shows; of a peer without kinds, all documents. */
  count(): Promise<number>;
  close(): Promise<void>;
}
