/** Tells whether photos of earlier openings may wait to be sent. It loads with the code that each device preloads. */
import type { OutboxReader } from '../outbox/outbox-reader.ts';
import type { DeviceTables } from '../storage/device-tables.ts';
import { photosOf } from './find-references.ts';
import { hasPhotoFolder } from './photo-folder.ts';

interface PhotoTraces {
  outbox: Pick<OutboxReader, 'entries'>;
  drafts: DeviceTables['drafts'];
  /** The name of the folder of photos; undefined where rows hold the bytes, and only recordings tell that there are any. */
  folder: string | undefined;
}

export async function hasPhotos({ outbox, drafts, folder }: PhotoTraces): Promise<boolean> {
  const refers = (['pending', 'forwarded', 'receipt', 'refused'] as const).some((state) =>
    outbox.entries(state).some(({ args }) => photosOf(args['steps']).length > 0),
  );
  if (refers || [...drafts.entries()].some(([, { kind }]) => kind === 'photographed')) return true;
  if (folder === undefined || typeof navigator === 'undefined') return false;
  return hasPhotoFolder(folder);
}
