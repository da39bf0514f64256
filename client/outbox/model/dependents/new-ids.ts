/** Gives a record a new id, without asking a person, if its mutation was refused because the id is taken. Pure. */
import type { IdGenerator } from '../../../core/ids.ts';
import type { OutboxContent } from '../content.ts';
import type { RefusedEntry } from '../entry.ts';
import { newMutation, type NewMutation } from '../mutation.ts';
import { rowIdOf } from '../parse-entry.ts';
import { recordsCreatedBy } from './references.ts';
import { replaceRefused } from './replacement.ts';

interface NewIdsOptions {
  ids: IdGenerator;
  recorded_at: string;
  /** True if the server has the record that this mutation creates, so the mutation was done before. */
  hasRecordCreatedBy: (entry: RefusedEntry) => boolean;
}

/** Gives a mutation new ids only once. If a new id is taken, too, the mutation waits for a person. */
export function giveNewIds(
  content: OutboxContent,
  { ids, recorded_at, hasRecordCreatedBy }: NewIdsOptions,
): OutboxContent {
  let current = content;
  // These entries do not depend on each other: the server refused each for its own taken id, not for a missing record.
  for (const refused of content.refused.filter(needsNewIds)) {
    current = hasRecordCreatedBy(refused)
      ? withoutRefusedEntry(current, rowIdOf(refused))
      : replaceWithNewIds(current, refused, { ids, recorded_at });
  }
  return current;
}

export const needsNewIds = (entry: RefusedEntry): boolean =>
  entry.error.code === 'id_taken' && !entry.is_renewed && recordsCreatedBy(entry).length > 0;

/**
 * Sets `is_renewed` on the mutation that got new ids. Its dependents stay without the mark, since each may still get
 * new ids once.
 */
function replaceWithNewIds(
  content: OutboxContent,
  refused: RefusedEntry,
  { ids, recorded_at }: Omit<NewIdsOptions, 'hasRecordCreatedBy'>,
): OutboxContent {
  const mutation = withNewIds(newMutation(refused), ids);
  if (!mutation) return content;
  const replaced = replaceRefused(content, { refused, mutations: [mutation], recorded_at });
  const first = replaced.made[0];
  if (!first) return replaced.content;
  const marked = replaced.content.pending.map((entry) =>
    rowIdOf(entry) === rowIdOf(first) ? { ...entry, is_renewed: true } : entry,
  );
  return { ...replaced.content, pending: marked };
}

const withoutRefusedEntry = (content: OutboxContent, rowId: string): OutboxContent => ({
  ...content,
  refused: content.refused.filter((entry) => rowIdOf(entry) !== rowId),
});

/** Returns the mutation with new ids for the records that it creates; undefined if it creates no records. */
export function withNewIds(mutation: NewMutation, ids: IdGenerator, newSession = false): NewMutation | undefined {
  const session = newSession ? { recording_session_id: ids.uuid() } : {};
  switch (mutation.name) {
    case 'create_map':
      return { ...mutation, args: { ...mutation.args, map_id: ids.mapId() } };
    case 'add_stage':
      return { ...mutation, args: { ...mutation.args, stage_id: ids.integer() } };
    case 'replace_stages': {
      const stage_ids = ids.integers(mutation.args.stages.length);
      return { ...mutation, args: { ...mutation.args, stage_ids } };
    }
    case 'upload_recording':
      return { ...mutation, args: { ...mutation.args, ...newRunAndStageIds(mutation.args, ids), ...session } };
    case 'record_new_map': {
      const map_id = ids.mapId();
      return { ...mutation, args: { ...mutation.args, map_id, ...newRunAndStageIds(mutation.args, ids), ...session } };
    }
    default:
      return undefined;
  }
}

const newRunAndStageIds = ({ steps }: { steps: unknown[] }, ids: IdGenerator) => ({
  run_id: ids.integer(),
  stage_ids: ids.integers(steps.length),
});
