/** Holds the server's content against the model of what the server took. */
import type { ServerContent } from '../fleet/server-content.ts';
import type { Simulation } from '../fleet/simulation.ts';
import { comparedMaps, lineOf } from './account-history.ts';
import { AccountModel } from './model.ts';

/** Integrators change the account by REST, which the log of pushes does not have. */
export function expectModel(simulation: Simulation, { maps, runs }: ServerContent): void {
  if (simulation.setting.mischief.includes('integrator')) return;
  const model = new AccountModel();
  for (const mutation of simulation.log.effective) model.take(mutation);
  const expected = comparedMaps(model).map(lineOf);
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

const difference = (these: string[], those: string[]): string[] => these.filter((one) => !those.includes(one));
