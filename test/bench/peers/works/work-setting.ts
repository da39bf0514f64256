/** The setting of each part of the comparison, and the figures of its samples. */
import { ratioOf, spreadOf, type Samples } from '../../measure.ts';
import type { Setting } from '../../setting.ts';
import type { Figure, Role, Work } from '../report/figures.ts';

export interface PeersSetting extends Setting {
  /** Whether the packages of the peers are there. A smoke run installs nothing. */
  withPeers: boolean;
}

export interface Subject {
  role: Role;
  durability: string;
  detail?: string;
}

export const inMemory = 'memory';
export const fullSync = 'disk, each commit (SQLite, synchronous=FULL)';
export const postgresSync = 'disk, each commit (PostgreSQL, fsync)';

interface WorkSamples<Name extends string> extends Omit<Work, 'figures' | 'rounds'> {
  samples: Samples<Name>;
  subjects: Record<Name, Subject>;
  /** The subject that the others are compared with. */
  base: Name;
}

export function workOf<Name extends string>(given: WorkSamples<Name>): Work {
  const { samples, subjects, base, ...work } = given;
  const figures = (Object.keys(samples) as Name[]).map((name): Figure => ({
    name,
    ...figureParts(subjects[name]),
    ...spreadOf(samples[name]),
    ...(name === base ? {} : { toGemba: ratioOf(samples[name], samples[base]) }),
  }));
  return { ...work, rounds: samples[base].length, figures };
}

/** A subject has more than a figure shows. */
function figureParts({ role, durability, detail }: Subject): Subject {
  return { role, durability, ...(detail ? { detail } : {}) };
}
