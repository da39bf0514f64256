/** What people know of the work on a device, as it is copied and put back together with its disk. */
import type { Recording } from '../../../client/client.ts';
import type { DiskImage } from './disk.ts';
import type { Step, Work } from './works.ts';

/** The recording under way, as far as the worker was told. */
export interface UnderWay {
  session: string;
  steps: Step[];
  /** A crash swallowed the word on the last tap. */
  isUnsure: boolean;
}

/** What a disk holds in the eyes of the people who worked on it: it is copied and put back together with the disk. */
export interface Memory {
  /** In the order in which it was made; what was imported stands apart, since it has an order of its own. */
  made: readonly Work[];
  imported: readonly Work[];
  underWay: UnderWay | undefined;
}

export interface Backup {
  image: DiskImage;
  memory: Memory;
}

export const nothingDone: Memory = { made: [], imported: [], underWay: undefined };

export const underWayOf = ({ recording_session_id, steps }: Recording): UnderWay => ({
  session: recording_session_id,
  steps: steps.map(({ stage_name, notes }) => ({ stage_name, notes })),
  isUnsure: false,
});
