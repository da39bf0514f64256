/** Finds out which recordings refer to a photo. */
import { isObject } from '../core/json-object.ts';
import type { OutboxReader } from '../outbox/outbox-reader.ts';
import type { TapBody } from '../storage/rows.ts';
import type { View } from '../view/view.ts';

interface RecordingSources {
  outbox: Pick<OutboxReader, 'uploads'>;
  view: Pick<View, 'runOfSession'>;
}

/** Tells whether a recording refers to the photo: in its upload in the outbox, or in its pulled run. */
export function recordingRefersTo({ outbox, view }: RecordingSources, session: string, photoId: string): boolean {
  const run = view.runOfSession(session);
  const listed = [...outbox.uploads(session).map(({ args }) => args['steps']), run?.steps, run?.recorded_steps];
  return listed.some((steps) => photoIdsOf(steps).includes(photoId));
}

/** Maps the id of each photo to the sessions of the recordings on this device that refer to the photo. */
export function sessionsByPhoto(
  outbox: Pick<OutboxReader, 'entries'>,
  taps: Iterable<[rowId: string, tap: TapBody]>,
): Map<string, Set<string>> {
  const sessions = new Map<string, Set<string>>();
  const add = (photo: string, session: string) => sessions.set(photo, (sessions.get(photo) ?? new Set()).add(session));
  for (const state of ['pending', 'forwarded', 'receipt', 'refused'] as const) {
    for (const { args } of outbox.entries(state))
      for (const photo of photoIdsOf(args['steps'])) add(String(photo), String(args['recording_session_id']));
  }
  for (const [rowId, tap] of taps)
    if (tap.kind === 'photographed') add(tap.photo, rowId.slice(0, rowId.lastIndexOf('|')));
  return sessions;
}

/** Returns the ids of all photos in the steps of a recording. */
export function photoIdsOf(steps: unknown): unknown[] {
  if (!Array.isArray(steps)) return [];
  return steps.flatMap((step: unknown) => (isObject(step) && Array.isArray(step['photos']) ? step['photos'] : []));
}
