/** The figures of `docs/benchmarks.json`, from which the report, its pictures and the README's figures are made. */
import type { Spread } from '../../measure.ts';

export type Role = 'gemba' | 'peer' | 'limit';

export interface Figure extends Spread {
  /** The contender or limit, such as `RxDB, push alone`. */
  name: string;
  role: Role;
  /** How durable the server is when it answers. */
  durability: string;
  /** More about the figure, such as the share of each direction. */
  detail?: string;
  /** The median, least and greatest ratio to Gemba, of the samples of the same round. Absent for Gemba itself. */
  toGemba?: Spread;
}

export interface Work {
  id: string;
  title: string;
  /** The work in a sentence, and the moments between which it was timed. */
  about: string;
  unit: string;
  better: 'lower' | 'higher';
  rounds: number;
  figures: Figure[];
}

/** The machine, the day and the revision of a part. Parts can be measured one by one. */
export interface Origin {
  date: string;
  revision: string;
  node: string;
  cpus: number;
}

export interface Part {
  origin: Origin;
  works: Work[];
}

export interface Benchmarks {
  versions: Record<string, string>;
  parts: Record<string, Part>;
}
