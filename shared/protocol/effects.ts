/**
 * The effects of a push: a digest instead of records. Device and server apply the same mutations to the same records, so
 * the server sends back only what the device cannot know, and a digest by which the device checks its own result.
 */
import type { RecordChange } from './pull.ts';
import type { PullableKind } from './pullable-kinds.ts';

/** The header of a push that names the records that the device has. Its form is that of `formatBase`. */
export const baseHeader = 'Gemba-Base';

/** The records to which a device applies its mutations: those of the kinds `kinds`, as they were at `cursor`. */
export interface PushBase {
  cursor: string;
  kinds: readonly PullableKind[];
}

/** Cursors have neither quotes nor backslashes. */
export const formatBase = ({ cursor, kinds }: PushBase): string => `cursor="${cursor}", kinds="${kinds.join(',')}"`;

export type EffectChange = Exclude<RecordChange, { kind: 'client' }>;
