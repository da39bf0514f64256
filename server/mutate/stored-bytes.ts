/** Estimates the stored size of a record in bytes: the size of its texts plus a constant for its other fields. */
import type { MapDoc } from '../../shared/schema/map.ts';
import type { RunDoc } from '../../shared/schema/run.ts';

const bytesPerRecord = 500;
const bytesPerStage = 170;
const bytesPerStep = 180;
/**
 * The bytes of a row that reserves a device-made stage id. Such rows stay for ever, since no later stage may get the
 * id.
 */
export const bytesPerStageId = 140;
/** A deleted run keeps its ids, its recording session and the state of the map at the recording. */
export const deletedRunBytesMax = 500;

export function mapBytes({ name, industry, description, stages }: MapDoc): number {
  const texts = textBytes(name) + textBytes(industry) + textBytes(description);
  return stages.reduce((bytes, { stage, aliases = [] }) => {
    return bytes + bytesPerStage + [stage, ...aliases].reduce((sum, text) => sum + textBytes(text), 0);
  }, bytesPerRecord + texts);
}

export function runBytes({ steps, recorded_steps = [], name = '', note = '', tags = [], excluded }: RunDoc): number {
  const said = [name, note, ...tags, excluded?.reason ?? ''].reduce((bytes, text) => bytes + textBytes(text), 0);
  return [...steps, ...recorded_steps].reduce((bytes, { stage_name, notes, photos }) => {
    const texts = textBytes(stage_name) + textBytes(notes);
    return bytes + bytesPerStep + texts + photos.reduce((sum, photo) => sum + textBytes(photo), 0);
  }, bytesPerRecord + said);
}

const textBytes = (text: string): number => Buffer.byteLength(text);
