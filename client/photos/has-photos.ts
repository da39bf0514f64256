/**
 * Tells whether this device may have photos from earlier openings. It loads with the code that every device preloads,
 * and the rest of the photo code only if there are any.
 */
import type { OutboxReader } from '../outbox/outbox-reader.ts';
import type { DeviceTables } from '../storage/device-tables.ts';
import { photosOf } from './find-references.ts';
import { hasPhotoFolder } from './photo-folder.ts';

interface PhotoTraces {
  options: { name: string; storage?: unknown };
  outbox: Pick<OutboxReader, 'entries'>;
  store: Pick<DeviceTables, 'drafts' | 'records'>;
}

export async function hasPhotos({ options, outbox, store }: PhotoTraces): Promise<boolean> {
  const refers = (['pending', 'forwarded', 'receipt', 'refused'] as const).some((state) =>
    outbox.entries(state).some(({ args }) => photosOf(args['steps']).length > 0),
  );
  if (refers || [...store.drafts.entries()].some(([, { kind }]) => kind === 'photographed')) return true;
  if (options.storage === undefined && typeof navigator !== 'undefined') return hasPhotoFolder(options.name);
  // Do not open the table of files that are stored as rows: recordings that have lost their receipt are still known as
  // runs.
  return [...store.records.entries()].some(
    ([, record]) => record.kind === 'run' && photosOf(record.doc.steps).length > 0,
  );
}
