/**
 * The effects of a push: a digest of the changed records instead of the records. Device and server apply the same
 * mutations to the same records, so the server sends back only what the device cannot compute, and a digest to check
 * its result.
 */
import type { RecordChange } from './pull.ts';
import type { PullableKind } from './pullable-kinds.ts';

/** The header of a push that says which records the device has. `formatPushBase` writes it. */
export const pushBaseHeader = 'Gemba-Base';

/** The records to which a device applied its mutations: all records of these kinds, as they were at `cursor`. */
export interface PushBase {
  cursor: string;
  kinds: readonly PullableKind[];
}

/** Formats the header. A cursor contains neither quotes nor backslashes. */
export const formatPushBase = ({ cursor, kinds }: PushBase): string => `cursor="${cursor}", kinds="${kinds.join(',')}"`;

export type EffectChange = Exclude<RecordChange, { kind: 'client' }>;
