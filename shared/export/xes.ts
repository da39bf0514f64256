/**
 * Writes an event log in XES (IEEE 1849): a trace for each run, and one event for each step, at the end of the step.
 * With two events a step, readers that do not pair them would draw a loop at each step.
 */
import type { ExportedRun, RunSource } from './exported-run.ts';
import { stepRowsOf, type StepRow } from './columns.ts';
import { isStartAssumed } from './step-times.ts';
import { xmlTexts } from './xml-text.ts';

export interface XesOptions {
  /** `pairs` also writes an event for the start of each step, for readers that pair the two. Default: `complete`. */
  lifecycle?: 'complete' | 'pairs';
}

export async function* xesLog(runs: RunSource, { lifecycle = 'complete' }: XesOptions = {}): AsyncGenerator<string> {
  yield head;
  for await (const exported of runs()) {
    yield `<trace>\n${attributes(traceFields(exported))}`;
    for (const row of stepRowsOf(exported)) {
      if (lifecycle === 'pairs') yield event(startFields(row));
      yield event(completeFields(row, lifecycle));
    }
    yield '</trace>\n';
  }
  yield '</log>\n';
}

const head = `<?xml version="1.0" encoding="UTF-8"?>
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

type Kind = 'string' | 'date' | 'int' | 'float' | 'boolean';
type Field = [kind: Kind, key: string, value: string | number | boolean | null];

const traceFields = ({ run, mapName }: ExportedRun): Field[] => [
  ['string', 'concept:name', String(run.id)],
  ['int', 'number', run.number],
  ['string', 'map_id', run.map_id],
  ['string', 'map_name', mapName],
  ['string', 'recording_session_id', run.recording_session_id],
  ['boolean', 'start_assumed', isStartAssumed(run) || null],
  ['boolean', 'excluded', run.excluded ? true : null],
];

/** The fields of both events of a step. */
const stepFields = ({ run, step }: StepRow): Field[] => [
  ['string', 'concept:name', step.stage_name],
  ['string', 'concept:instance', `${run.id}-${step.order}`],
  ['string', 'org:resource', run.device_id],
];

const startFields = (row: StepRow): Field[] => [
  ...stepFields(row),
  ['string', 'lifecycle:transition', 'start'],
  ['date', 'time:timestamp', row.times.startedAt],
];

const completeFields = (row: StepRow, lifecycle: 'complete' | 'pairs'): Field[] => [
  ...stepFields(row),
  ['string', 'lifecycle:transition', 'complete'],
  ['date', 'time:timestamp', row.times.endedAt],
  // Omit this field in pairs, since PM4Py reads an event with it as a whole step.
  ['date', 'start_timestamp', lifecycle === 'pairs' ? null : row.times.startedAt],
  ['string', 'work_type', row.step.work_type],
  ['boolean', 'value_add', row.step.value_add],
  ['float', 'duration_secs', row.step.duration_secs],
  ['boolean', 'duration_estimated', row.step.duration_estimated],
  ['string', 'notes', row.step.notes || null],
];

const event = (fields: Field[]): string => `<event>\n${attributes(fields)}</event>\n`;

/**
 * Writes the present fields. Counts the characters that XML cannot represent in a field of its own, since their loss
 * would be invisible.
 */
function attributes(fields: Field[]): string {
  const texts = xmlTexts();
  const attribute = ([kind, key, value]: Field) =>
    `<${kind} key="${key}" value="${texts.attribute(String(value))}"/>\n`;
  const present = fields.filter(([, , value]) => value !== null).map(attribute);
  if (texts.dropped > 0) present.push(attribute(['int', 'characters_dropped', texts.dropped]));
  return present.join('');
}
