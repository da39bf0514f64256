/**
 * Writes an event log in XES (IEEE 1849): a trace for each run, and one event for each step, at the end of the step.
 * If each step had two events, a reader that does not pair these events would draw a loop at each step.
 */
import type { ExportedRun, RunSource } from './exported-run.ts';
import { stepRowsOf, type StepRow } from './columns.ts';
import { isStartAssumed } from './step-times.ts';
import { createXmlEscaper } from './xml-text.ts';

export interface XesOptions {
  /** `pairs` also writes an event for the start of each step, for readers that pair the events. Default: `complete`. */
  lifecycle?: 'complete' | 'pairs';
}

export async function* xesLog(runs: RunSource, { lifecycle = 'complete' }: XesOptions = {}): AsyncGenerator<string> {
  yield logHead;
  for await (const exported of runs()) {
    yield `<trace>\n${attributesXml(traceFieldsOf(exported))}`;
    for (const row of stepRowsOf(exported)) {
      if (lifecycle === 'pairs') yield eventXml(startFieldsOf(row));
      yield eventXml(completeFieldsOf(row, lifecycle));
    }
    yield '</trace>\n';
  }
  yield '</log>\n';
}

const logHead = `<?xml version="1.0" encoding="UTF-8"?>
<log xes.version="1849.2016" xes.features="" xmlns="http://www.xes-standard.org/">
<extension name="Concept" prefix="concept" uri="http://www.xes-standard.org/concept.xesext"/>
<extension name="Lifecycle" prefix="lifecycle" uri="http://www.xes-standard.org/lifecycle.xesext"/>
<extension name="Time" prefix="time" uri="http://www.xes-standard.org/time.xesext"/>
<extension name="Organizational" prefix="org" uri="http://www.xes-standard.org/org.xesext"/>
<global scope="trace">
<string key="concept:name" value=""/>
</global>
<global scope="event">
<string key="concept:name" value=""/>
<string key="lifecycle:transition" value="complete"/>
<date key="time:timestamp" value="1970-01-01T00:00:00.000Z"/>
</global>
<classifier name="Stage" keys="concept:name"/>
<string key="concept:name" value="Gemba"/>
<string key="lifecycle:model" value="standard"/>
`;

type XesKind = 'string' | 'date' | 'int' | 'float' | 'boolean';
type XesField = [kind: XesKind, key: string, value: string | number | boolean | null];

const traceFieldsOf = ({ run, mapName }: ExportedRun): XesField[] => [
  ['string', 'concept:name', String(run.id)],
  ['int', 'number', run.number],
  ['string', 'map_id', run.map_id],
  ['string', 'map_name', mapName],
  ['string', 'recording_session_id', run.recording_session_id],
  ['boolean', 'start_assumed', isStartAssumed(run) || null],
  ['boolean', 'excluded', run.excluded ? true : null],
];

/** Returns the fields that the `start` event and the `complete` event of a step have in common. */
const stepFieldsOf = ({ run, step }: StepRow): XesField[] => [
  ['string', 'concept:name', step.stage_name],
  ['string', 'concept:instance', `${run.id}-${step.order}`],
  ['string', 'org:resource', run.device_id],
];

const startFieldsOf = (row: StepRow): XesField[] => [
  ...stepFieldsOf(row),
  ['string', 'lifecycle:transition', 'start'],
  ['date', 'time:timestamp', row.times.startedAt],
];

const completeFieldsOf = (row: StepRow, lifecycle: 'complete' | 'pairs'): XesField[] => [
  ...stepFieldsOf(row),
  ['string', 'lifecycle:transition', 'complete'],
  ['date', 'time:timestamp', row.times.endedAt],
  // Omit `start_timestamp` if each step has two events, since PM4Py reads an event with `start_timestamp` as a whole
  // step.
  ['date', 'start_timestamp', lifecycle === 'pairs' ? null : row.times.startedAt],
  ['string', 'work_type', row.step.work_type],
  ['boolean', 'value_add', row.step.value_add],
  ['float', 'duration_secs', row.step.duration_secs],
  ['boolean', 'duration_estimated', row.step.duration_estimated],
  ['string', 'notes', row.step.notes || null],
];

const eventXml = (fields: XesField[]): string => `<event>\n${attributesXml(fields)}</event>\n`;

/**
 * Writes the fields that are not null. If XML cannot represent some characters, an extra field says how many are lost,
 * since nobody would notice the loss otherwise.
 */
function attributesXml(fields: XesField[]): string {
  const escaper = createXmlEscaper();
  const attribute = ([kind, key, value]: XesField) =>
    `<${kind} key="${key}" value="${escaper.attribute(String(value))}"/>\n`;
  const present = fields.filter(([, , value]) => value !== null).map(attribute);
  if (escaper.dropped > 0) present.push(attribute(['int', 'characters_dropped', escaper.dropped]));
  return present.join('');
}
