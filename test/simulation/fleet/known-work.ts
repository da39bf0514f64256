/** The work on a device as people know it; it is copied and restored together with the disk. */
import type { Recording } from '../../../client/client.ts';
import type { DiskImage } from '../platform/device/disk.ts';
import type { Step, Work } from './works.ts';

/** The recording under way, as far as its taps were acknowledged. */
export interface UnderWay {
  session: string;
  steps: Step[];
  /** A crash lost the acknowledgement of the last tap. */
  isUnsure: boolean;
}

/** The work on a disk, as the people who did it know it. */
export interface KnownWork {
  /** Work in the order in which it was made; imported work has an order of its own. */
  made: readonly Work[];
  imported: readonly Work[];
  underWay: UnderWay | undefined;
  /** The numbers of the saved states that this disk had before. */
  saved: readonly number[];
  /** The sessions of the recordings that the device showed, so that its disk has what it needs to show them again. */
  shown: ReadonlySet<string>;
  /** Recordings that the server had when this disk lost its database, and that this disk cannot send again. */
  onServerAlone: ReadonlySet<Work>;
}

export interface Backup {
  image: DiskImage;
  memory: KnownWork;
}

export const noWork: KnownWork = {
  made: [],
  imported: [],
  underWay: undefined,
  saved: [],
  shown: new Set(),
  onServerAlone: new Set(),
};

export const toUnderWay = ({ recording_session_id, steps }: Recording): UnderWay => ({
  session: recording_session_id,
  steps: steps.map(({ stage_name, notes }) => ({ stage_name, notes })),
  isUnsure: false,
});
