/** The order in which runs began, which is not that of their numbers: a recording may arrive late. */
import type { RunRecord } from '../schema/run.ts';

export type StartedRun = Pick<RunRecord, 'number' | 'started_at' | 'created_at'>;

/** A run without a start counts from its arrival. */
export const startedMs = ({ started_at, created_at }: StartedRun): number => Date.parse(started_at ?? created_at);

export const byStart = (a: StartedRun, b: StartedRun): number => startedMs(a) - startedMs(b) || a.number - b.number;
