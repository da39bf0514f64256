/**
 * Writes an object-centric event log as JSON of OCEL 2.0 (https://www.ocel-standard.org). The events come
 * first, since the names of all event types are known only after the last event. OCEL's schema requires all values as
 * text, whatever their declared type.
 */
import type { ExportedRun, RunSource } from './exported-run.ts';
import { stepRowsOf, type StepRow } from './columns.ts';
import { isStartAssumed, runStartOf } from './step-times.ts';

export async function* ocelJson(runs: RunSource): AsyncGenerator<string> {
  const stageNames = new Set<string>();
  yield '{"events":[';
  let separator = '\n';
  for await (const exported of runs()) {
    for (const row of stepRowsOf(exported)) {
      stageNames.add(row.step.stage_name);
      yield separator + JSON.stringify(eventOf(row));
      separator = ',\n';
    }
  }
  yield `\n],"eventTypes":[`;
  separator = '\n';
  for (const name of stageNames) {
    yield separator + JSON.stringify({ name, attributes: eventAttributes });
    separator = ',\n';
  }
  yield `\n],"objectTypes":${JSON.stringify(objectTypes)},"objects":[`;
  separator = '\n';
  const known = new Set<string>();
  for await (const exported of runs()) {
    for (const object of ocelObjectsOf(exported)) {
      if (known.has(object.id)) continue;
      if (object.type !== 'run') known.add(object.id);
      yield separator + JSON.stringify(object);
      separator = ',\n';
    }
  }
  yield '\n]}\n';
}

const eventAttributes = [
  { name: 'start_timestamp', type: 'time' },
  { name: 'duration_secs', type: 'float' },
  { name: 'duration_estimated', type: 'boolean' },
  { name: 'work_type', type: 'string' },
  { name: 'value_add', type: 'boolean' },
  { name: 'notes', type: 'string' },
];

const objectTypes = [
  { name: 'map', attributes: [{ name: 'name', type: 'string' }] },
  {
    name: 'run',
    attributes: [
      { name: 'number', type: 'integer' },
      { name: 'recording_session_id', type: 'string' },
      { name: 'started_at', type: 'time' },
      { name: 'start_assumed', type: 'boolean' },
      { name: 'excluded', type: 'boolean' },
    ],
  },
  { name: 'device', attributes: [] },
];

const mapObjectId = (id: string): string => `map:${id}`;
const runObjectId = (id: number): string => `run:${id}`;
const deviceObjectId = (id: string): string => `device:${id}`;

function eventOf({ run, step, times }: StepRow) {
  return {
    id: `${runObjectId(run.id)}/${step.order}`,
    type: step.stage_name,
    time: times.endedAt,
    attributes: [
      { name: 'start_timestamp', value: times.startedAt },
      { name: 'duration_secs', value: String(step.duration_secs) },
      { name: 'duration_estimated', value: String(step.duration_estimated) },
      { name: 'work_type', value: step.work_type },
      { name: 'value_add', value: String(step.value_add) },
      { name: 'notes', value: step.notes },
    ],
    relationships: [
      { objectId: runObjectId(run.id), qualifier: 'step of' },
      { objectId: mapObjectId(run.map_id), qualifier: 'stage of' },
      ...(run.device_id === null ? [] : [{ objectId: deviceObjectId(run.device_id), qualifier: 'recorded by' }]),
    ],
  };
}

/**
 * OCEL requires a time for each value of an attribute. The attributes here keep their first value, which has the start
 * of 1970 as its time.
 */
const firstValueTime = '1970-01-01T00:00:00.000Z';

function ocelObjectsOf({ run, mapName }: ExportedRun) {
  const map = {
    id: mapObjectId(run.map_id),
    type: 'map',
    attributes: [{ name: 'name', time: firstValueTime, value: mapName }],
    relationships: [],
  };
  const runObject = {
    id: runObjectId(run.id),
    type: 'run',
    attributes: [
      { name: 'number', time: firstValueTime, value: String(run.number) },
      { name: 'recording_session_id', time: firstValueTime, value: run.recording_session_id },
      { name: 'started_at', time: firstValueTime, value: runStartOf(run) },
      { name: 'start_assumed', time: firstValueTime, value: String(isStartAssumed(run)) },
      { name: 'excluded', time: firstValueTime, value: String(Boolean(run.excluded)) },
    ],
    relationships: [{ objectId: map.id, qualifier: 'observes' }],
  };
  const device =
    run.device_id === null
      ? []
      : [{ id: deviceObjectId(run.device_id), type: 'device', attributes: [], relationships: [] }];
  return [map, runObject, ...device];
}
