/** Holds the server's content against the model of what the server took. */
import type { ServerContent } from '../fleet/server-content.ts';
import type { Simulation } from '../fleet/simulation.ts';
import { AccountModel } from './model.ts';

/** Integrators change the account by REST, which the log of pushes does not have. */
export function expectModel(simulation: Simulation, { maps, runs }: ServerContent): void {
  if (simulation.setting.mischief.includes('integrator')) return;
  const model = new AccountModel();
  for (const { mutation, status } of simulation.log.standing) if (status === 'applied') model.take(mutation);
  const expected = [...model.maps].map(([id, map]) =>
    lineOf({ ...map, id, stages: map.stages.map(({ name }) => name) }),
  );
  const shown = maps.map(({ id, name, deleted, stages }) =>
    lineOf({
      id,
      name,
      isDeleted: deleted,
      stages: stages.map(({ stage }) => stage),
      runs: new Map(
        runs.flatMap((run) =>
          run.map_id === id
            ? [[run.recording_session_id, run.steps.map(({ stage_name }) => stage_name).join(' ')] as const]
            : [],
        ),
      ),
    }),
  );
  const [missing, extra] = [difference(expected, shown), difference(shown, expected)];
  if (missing.length + extra.length === 0) return;
  simulation.fail('unlike the model', `the model has ${missing.join('; ')}, the server ${extra.join('; ')}`);
}

interface ComparedMap {
  id: string;
  name: string;
  isDeleted: boolean;
  stages: unknown[];
  runs: ReadonlyMap<string, string>;
}

const lineOf = ({ id, name, isDeleted, stages, runs }: ComparedMap): string =>
  JSON.stringify([id, name, isDeleted, stages, [...runs].toSorted(([a], [b]) => (a < b ? -1 : 1))]);

const difference = (these: string[], those: string[]): string[] => these.filter((one) => !those.includes(one));
