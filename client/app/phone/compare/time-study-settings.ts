/**
 * The settings of the time study of a map: takt time, precision, allowance and the rating of each run. This device
 * stores them as the person typed them.
 */
import { useState } from 'preact/hooks';
import type { StudyRequest } from '../../../client.ts';
import { readPageStorage, writePageStorage } from '../../shell/page-storage.ts';
import { parseTime } from '../parse-time.ts';

/** The typed texts by the names of their fields. A field that was never filled in is absent. */
export type SettingTexts = Readonly<Record<string, string>>;

export const ratingFieldName = (runId: number): string => `rating-${runId}`;

export interface TimeStudySettings {
  /** The settings as a comparison takes them. */
  study: StudyRequest;
  /** The names of the fields whose text is invalid. `study` lacks their values. */
  invalid: ReadonlySet<string>;
}

const taktSecsMax = 31_536_000;

export type Confidence = NonNullable<StudyRequest['confidence']>;

/** The goal of a time study: at this `confidence`, the mean is within ± `precision` (0.05 is 5 %) of the true mean. */
export interface PrecisionGoal {
  precision: number;
  confidence: Confidence;
}

/** The confidence levels that the engine knows, by the texts that the settings store for them. */
const confidenceByText: Record<string, Confidence> = { 90: 0.9, 95: 0.95, 99: 0.99 };

/** The values that the engine takes if a request names none. */
export const confidenceDefault: Confidence = 0.95;
export const precisionDefault = 0.05;

export function parseTimeStudySettings(texts: SettingTexts, runIds: readonly number[]): TimeStudySettings {
  const invalid = new Set<string>();
  const read = (field: string, parse: (text: string) => number): number | undefined => {
    const text = texts[field]?.trim() ?? '';
    if (text === '') return undefined;
    const value = parse(text);
    if (!Number.isNaN(value)) return value;
    invalid.add(field);
    return undefined;
  };
  const takt_secs = read('takt', (text) => inRangeOrNaN(parseTime(text), 0.1, taktSecsMax));
  const precision = read('precision', (text) => inRangeOrNaN(parsePercent(text), 0.01, 0.5));
  const confidence = confidenceByText[texts['confidence'] ?? ''];
  const allowance = read('allowance', (text) => inRangeOrNaN(parsePercent(text), 0, 0.9));
  const ratings = runIds.flatMap((run_id) => {
    const rating = read(ratingFieldName(run_id), (text) => inRangeOrNaN(parsePercent(text), 0.3, 2));
    return rating === undefined ? [] : [{ run_id, rating }];
  });
  return {
    study: {
      ...(takt_secs !== undefined && { takt_secs }),
      ...(precision !== undefined && { precision }),
      ...(confidence !== undefined && { confidence }),
      ...(allowance !== undefined && { allowance, allowance_basis: texts['basis'] === 'job' ? 'job' : 'day' }),
      ...(ratings.length > 0 && { ratings }),
    },
    invalid,
  };
}

const parsePercent = (text: string): number => Number(text.replace(/\s*%$/, '').replace(',', '.')) / 100;
const inRangeOrNaN = (value: number, least: number, most: number): number =>
  value >= least && value <= most ? value : Number.NaN;

export function useStoredSettingTexts(mapId: string) {
  const key = `gemba-study-${mapId}`;
  const [texts, setTexts] = useState(() => readStoredTexts(key));
  const setText = (field: string, text: string) => {
    const changed = { ...texts, [field]: text };
    setTexts(changed);
    writePageStorage('localStorage', key, JSON.stringify(changed));
  };
  return { texts, setText };
}

function readStoredTexts(key: string): SettingTexts {
  try {
    const stored: unknown = JSON.parse(readPageStorage('localStorage', key) ?? '{}');
    const entries: [string, unknown][] = stored instanceof Object ? Object.entries(stored) : [];
    return Object.fromEntries(entries.flatMap(([field, text]) => (typeof text === 'string' ? [[field, text]] : [])));
  } catch {
    return {};
  }
}
