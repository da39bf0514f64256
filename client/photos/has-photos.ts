/**
 * Tells whether this device may have photos from earlier openings. Every device preloads this file. The rest of the
 * photo code loads only if there are such photos.
 */
import type { OutboxReader } from '../outbox/outbox-reader.ts';
import type { DeviceTables } from '../storage/device-tables.ts';
import { photoIdsOf } from './find-references.ts';
import { hasPhotoFolder } from './photo-folder.ts';

interface PhotoSources {
  options: { name: string; storage?: unknown };
  outbox: Pick<OutboxReader, 'entries'>;
  store: Pick<DeviceTables, 'drafts' | 'records'>;
}

export async function hasPhotos({ options, outbox, store }: PhotoSources): Promise<boolean> {
  const refers = (['pending', 'forwarded', 'receipt', 'refused'] as const).some((state) =>
    outbox.entries(state).some(({ args }) => photoIdsOf(args['steps']).length > 0),
  );
  if (refers || [...store.drafts.entries()].some(([, { kind }]) => kind === 'photographed')) return true;
  if (options.storage === undefined && typeof navigator !== 'undefined') return hasPhotoFolder(options.name);
  // Search the runs instead of opening the table of photo files. A recording whose receipt is gone still has its run.
  return [...store.records.entries()].some(
    ([, record]) => record.kind === 'run' && photoIdsOf(record.doc.steps).length > 0,
  );
}
