/** Remembers what people did in a simulation, in the least detail by which a view can be judged. */
import { stageNames, type Step } from '../fleet/works.ts';

export class Facts {
  /** The names that were tapped in a recording session, on any device that has it. */
  readonly #tapped = new Map<string, Set<string>>();
  /** The steps with which somebody tried to finish a session. A crash may hide that it worked. */
  readonly #finished = new Map<string, Set<string>>();
  /** The sessions that were finished when nobody knew whether the last tap had been stored. */
  readonly #unsure = new Set<string>();
  /** The sessions whose run a person deleted. */
  readonly deletedSessions = new Set<string>();

  tapped(session: string, stage: string): void {
    addTo(this.#tapped, session, stage);
  }

  finishing(session: string, steps: readonly Step[], { isUnsure }: { isUnsure: boolean }): void {
    addTo(this.#finished, session, stageNames(steps));
    if (isUnsure) this.#unsure.add(session);
  }

  /** Returns whether these can be steps of the session: its taps in their order, which their numbers tell. */
  areTaps(session: string, stages: readonly string[]): boolean {
    const tapped = this.#tapped.get(session);
    return stages.every((stage, index) => {
      const before = stages[index - 1];
      return tapped?.has(stage) === true && (before === undefined || numberOf(before) < numberOf(stage));
    });
  }

  /** Returns whether the session can have been finished with these steps. */
  areFinished(session: string, stages: readonly string[]): boolean {
    if (this.#finished.get(session)?.has(stages.join(' '))) return true;
    return this.#unsure.has(session) && this.areTaps(session, stages);
  }
}

const numberOf = (tag: string): number => Number(tag.slice(1));

function addTo(sets: Map<string, Set<string>>, key: string, value: string): void {
  const known = sets.get(key);
  if (known) known.add(value);
  else sets.set(key, new Set([value]));
}
