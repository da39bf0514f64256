/** Judges the values that a tab shows together, whatever happened before. Pure. */
import { chartRunsMin } from '../../../shared/domain/study/statistics.ts';
import { latestRunsMax, type ShownValues } from './shown.ts';

export interface Problem {
  kind: 'torn view' | 'shown twice' | 'out of order' | 'wrong count' | 'custody false';
  detail: string;
}

type Found = (string | false)[];

const rules: [kind: Problem['kind'], rule: (shown: ShownValues) => Found][] = [
  ['torn view', mapsFit],
  ['torn view', runsFit],
  ['shown twice', eachOnce],
  ['out of order', inOrder],
  ['wrong count', countsFit],
  ['wrong count', statusFits],
  ['custody false', pendingIsHere],
  ['wrong count', missingRunsFit],
  ['torn view', latestRunsFit],
];

export const problemsOf = (shown: ShownValues): Problem[] =>
  rules.flatMap(([kind, rule]) => rule(shown).flatMap((detail) => (detail === false ? [] : [{ kind, detail }])));

/** A map in a list is the map that is shown alone, and its stages have the orders 1, 2, 3. */
function mapsFit({ maps, deletedMaps, fullMaps }: ShownValues): Found {
  return [...maps, ...deletedMaps].flatMap((listed) => {
    const { id, name } = listed;
    const map = fullMaps.get(id);
    if (!map) return [`the map ${name} is in a list alone`];
    const { stages } = map;
    const isOther = map.name !== name || map.deleted !== listed.deleted || map.pending !== listed.pending;
    return [
      (isOther || map.run_count !== listed.run_count) && `the map ${name} is another in its list`,
      listed.stage_count !== stages.length && `the map ${name} says ${listed.stage_count} of ${stages.length} stages`,
      stages.some(({ order }, index) => order !== index + 1) && `the map ${name} has a gap between its stages`,
      new Set(stages.map((stage) => stage.id)).size !== stages.length && `the map ${name} shows a stage twice`,
    ];
  });
}

/** A run in a list is the run that is shown alone, with all its steps. */
function runsFit({ runs, runDocs }: ShownValues): Found {
  return [...runs].flatMap(([mapId, list]) =>
    list.flatMap(({ id, map_id, number, pending, step_count }) => {
      const run = runDocs.get(id);
      if (!run) return [`the run ${id} is in a list alone`];
      const isOther = run.map_id !== mapId || map_id !== mapId || run.number !== number || run.pending !== pending;
      return [
        isOther && `the run ${id} is another in its list`,
        step_count !== run.steps.length && `the run ${id} says ${step_count} of ${run.steps.length} steps`,
        run.steps.some(({ order }, index) => order !== index + 1) && `the run ${id} has a gap between its steps`,
      ];
    }),
  );
}

function eachOnce({ maps, deletedMaps, runs, attention = [], discardedChanges = [], discarded }: ShownValues): Found {
  const listed = [...runs.values()].flat();
  const lists: [what: string, keys: unknown[]][] = [
    ['a map', [...maps, ...deletedMaps].map(({ id }) => id)],
    ['a run', listed.map(({ id }) => id)],
    ['a recording', listed.map((run) => run.recording_session_id)],
    ['a refused change', [...attention, ...discardedChanges].map(({ seq }) => seq)],
    ['a discarded recording', discarded.map((one) => one.recording_session_id)],
  ];
  return lists.map(([what, keys]) => new Set(keys).size !== keys.length && `${what} is shown twice`);
}

/** Lists are newest first: runs by their numbers, maps by their creation, those that only the device has before. */
function inOrder({ maps, deletedMaps, runs }: ShownValues): Found {
  return [
    ...[...runs.values()].map((list) => !isDescending(list.map(({ number }) => number)) && 'the runs of a map'),
    ...[maps, deletedMaps].map(
      (list) => !isDescending(list.flatMap(({ created_version: at }) => (at > 0 ? [at] : []))) && 'the maps',
    ),
  ];
}

const isDescending = (numbers: readonly number[]): boolean =>
  numbers.every((number, index) => index === 0 || (numbers[index - 1] ?? 0) > number);

/** Each record that is shown as pending is counted, and each refused change. */
function countsFit({ status, maps, deletedMaps, runs, runDocs, attention, report }: ShownValues): Found {
  if (!status) return [];
  const { pending, pending_steps: steps, oldest_pending_at: oldest } = status;
  const { pending: unsent, attention: refused } = report ?? status;
  const listed = [...runs.values()].flat().filter((run) => run.pending);
  const waiting = [...maps, ...deletedMaps, ...listed].filter((record) => record.pending).length;
  const waitingSteps = listed.reduce((sum, { id }) => sum + (runDocs.get(id)?.steps.length ?? 0), 0);
  return [
    pending === 0 && waiting > 0 && `nothing is pending, and ${waiting} records are shown so`,
    waitingSteps > steps && `${steps} steps are pending, and ${waitingSteps} are shown so`,
    (pending === 0) !== (oldest === null) && `${pending} are pending, the oldest since ${oldest}`,
    attention !== undefined && attention.length !== status.attention && `${attention.length} of ${status.attention}`,
    unsent > pending && `${unsent} of ${pending} pending are reported as unsent`,
    refused !== status.attention && `${refused} are reported as refused`,
  ];
}

function statusFits({ status }: ShownValues): Found {
  return [status?.phase === 'blocked' && !status.error && 'the sync is blocked for no reason'];
}

/** A recording is not safe on the server while its run is shown as pending. */
function pendingIsHere({ runs, custody }: ShownValues): Found {
  return [...runs.values()]
    .flat()
    .map(
      ({ pending, recording_session_id: session }) =>
        pending && custody.get(session) === 'server' && `the server has ${session}, whose run is pending`,
    );
}

/** The runs that a device does not hold are counted for each map, and are runs of that map. */
function missingRunsFit({ runsOnServer, latestRuns, fullMaps, status }: ShownValues): Found {
  if (!runsOnServer) return [];
  const { count, ofMap } = runsOnServer;
  const sum = [...ofMap.values()].reduce((total, missing) => total + missing, 0);
  return [
    count !== sum && `${count} runs are on the server, and ${sum} of maps`,
    ...[...ofMap].flatMap(([id, missing]) => [
      missing <= 0 && `${missing} runs of the map ${id} are on the server`,
      status?.pending === 0 &&
        missing > (fullMaps.get(id)?.run_count ?? Infinity) &&
        `${missing} runs are on the server of a map with ${fullMaps.get(id)?.run_count}`,
    ]),
    ...[...latestRuns].map(([id, latest]) => {
      const missing = ofMap.get(id) ?? 0;
      if (!latest || latest.missing === missing) return false;
      return `${latest.missing} runs are missing beside the latest, and ${missing} in all`;
    }),
  ];
}

/** The latest runs are sorted by their start, each once, and all are here if the device lacks none. */
function latestRunsFit({ latestRuns }: ShownValues): Found {
  return [...latestRuns.values()].flatMap((latest): Found => {
    if (!latest) return [];
    const { runs, chart, fromServer, missing, state } = latest;
    const starts = runs.map(({ started_at, created_at }) => Date.parse(started_at ?? created_at));
    const { size } = new Set(runs.map(({ id }) => id));
    return [
      size !== runs.length && 'a run is twice among the latest',
      starts.some((start, index) => index > 0 && (starts[index - 1] ?? 0) > start) && 'the latest runs are unsorted',
      runs.length > latestRunsMax && `${runs.length} latest runs instead of ${latestRunsMax}`,
      // The server may have got a run since the last pull, by which the device counts what it lacks.
      fromServer > runs.length && `${fromServer} of ${runs.length} runs are from the server`,
      missing === 0 && state !== 'complete' && `the latest runs are ${state}, though all are here`,
      (chart === null) !== runs.length < chartRunsMin && `${runs.length} runs have ${chart ? 'a' : 'no'} chart`,
    ];
  });
}
