/** The contents that an account had, one after the other, as the model has them: what a view without own changes may show. */
import type { PushedMutation } from '../../../shared/protocol/push.ts';
import { AccountModel } from './model.ts';

/** One map as an account or a view has it. */
export interface ComparedMap {
  id: string;
  name: string;
  isDeleted: boolean;
  stages: readonly unknown[];
  /** The names of the steps by recording session; undefined where runs are not compared. */
  runs: ReadonlyMap<string, string> | undefined;
}

/** How much of an account is compared: a device that holds no runs, or a part of them, shows maps alone. */
export type Extent = 'all' | 'maps';

export class AccountHistory {
  #model = new AccountModel();
  #count = 0;
  /** The places at which the account had a content, by the content. */
  readonly #places: Record<Extent, Map<string, number[]>> = { all: new Map(), maps: new Map() };
  readonly #contents: ComparedMap[][] = [];

  constructor() {
    this.#note();
  }

  take(mutation: Pick<PushedMutation, 'name' | 'args'>): void {
    this.#model.take(mutation);
    this.#note();
  }

  /** Goes on after a restore, from what the server then has. */
  restore(mutations: readonly Pick<PushedMutation, 'name' | 'args'>[]): void {
    this.#model = new AccountModel();
    for (const mutation of mutations) this.#model.take(mutation);
    this.#note();
  }

  /** Returns the first place from `from` on at which the account had this content; undefined if there is none. */
  placeOf(extent: Extent, content: string, from: number): number | undefined {
    return this.#places[extent].get(content)?.find((place) => place >= from);
  }

  /** Returns the first place from `from` on at which the account had all of these, and maybe more. */
  placeOfPart(part: readonly ComparedMap[], from: number): number | undefined {
    const place = this.#contents.findIndex((maps, index) => index >= from && part.every((map) => isPartOf(map, maps)));
    return place < 0 ? undefined : place;
  }

  #note(): void {
    const maps = comparedMaps(this.#model);
    this.#contents.push(maps);
    for (const extent of ['all', 'maps'] as const) {
      const content = contentOf(extent === 'all' ? maps : maps.map((map) => ({ ...map, runs: undefined })));
      const places = this.#places[extent].get(content);
      if (places) places.push(this.#count);
      else this.#places[extent].set(content, [this.#count]);
    }
    this.#count++;
  }
}

export const contentOf = (maps: readonly ComparedMap[]): string => maps.map(lineOf).toSorted().join('\n');

export const comparedMaps = ({ maps }: AccountModel): ComparedMap[] =>
  [...maps].map(([id, map]) => ({
    ...map,
    id,
    stages: map.stages.map(({ name }) => name),
    runs: new Map(map.runs),
  }));

function isPartOf(part: ComparedMap, maps: readonly ComparedMap[]): boolean {
  const whole = maps.find(({ id }) => id === part.id);
  if (!whole || lineOf({ ...whole, runs: undefined }) !== lineOf({ ...part, runs: undefined })) return false;
  return [...(part.runs ?? [])].every(([session, steps]) => whole.runs?.get(session) === steps);
}

export const lineOf = ({ id, name, isDeleted, stages, runs }: ComparedMap): string =>
  JSON.stringify([id, name, isDeleted, stages, runs && [...runs].toSorted(([a], [b]) => (a < b ? -1 : 1))]);
