/** Finds out which finished recordings refer to a photo. */
import { isObject } from '../core/json-object.ts';
import type { OutboxReader } from '../outbox/outbox-reader.ts';
import type { View } from '../view/view.ts';

interface RecordingSources {
  outbox: Pick<OutboxReader, 'uploads'>;
  view: Pick<View, 'runOfSession'>;
}

/** Tells whether the upload or the pulled run of a recording refers to the photo. */
export function refersTo({ outbox, view }: RecordingSources, session: string, photoId: string): boolean {
  const run = view.runOfSession(session);
  const listed = [...outbox.uploads(session).map(({ args }) => args['steps']), run?.steps, run?.recorded_steps];
  return listed.some((steps) => photosOf(steps).includes(photoId));
}

/** Returns the ids of all photos in the steps of an upload. */
export function photosOf(steps: unknown): unknown[] {
  if (!Array.isArray(steps)) return [];
  return steps.flatMap((step: unknown) => (isObject(step) && Array.isArray(step['photos']) ? step['photos'] : []));
}
