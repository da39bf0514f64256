/** The formats of an export by the names of their files. */
import { runsCsv, stepsCsv, type CsvOptions } from './csv.ts';
import type { RunSource } from './exported-run.ts';
import { ocelJson } from './ocel.ts';
import { xesLog, type XesOptions } from './xes.ts';

export const exportFormats = ['steps.csv', 'runs.csv', 'steps.xlsx', 'log.xes', 'log.ocel.json'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** `guard` and `bom` are of CSV, `lifecycle` is of XES. */
export interface ExportOptions extends CsvOptions, XesOptions {}

interface FormatFacts {
  contentType: string;
  stepsMax: number;
}

const stepsMax = 200_000;
/** A spreadsheet has to hold all of it in memory. */
const sheetStepsMax = 50_000;

export const exportFacts: Record<ExportFormat, FormatFacts> = {
  'steps.csv': { contentType: 'text/csv; charset=utf-8', stepsMax },
  'runs.csv': { contentType: 'text/csv; charset=utf-8', stepsMax },
  'steps.xlsx': {
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    stepsMax: sheetStepsMax,
  },
  'log.xes': { contentType: 'application/xml; charset=utf-8', stepsMax },
  'log.ocel.json': { contentType: 'application/json', stepsMax },
};

const csvOptions = { guard: [true, false], bom: [true, false] };

/** The options that a format takes, with their values. */
export const optionsOfFormat: Record<ExportFormat, { [Name in keyof ExportOptions]: readonly unknown[] }> = {
  'steps.csv': csvOptions,
  'runs.csv': csvOptions,
  'steps.xlsx': {},
  'log.xes': { lifecycle: ['complete', 'pairs'] },
  'log.ocel.json': {},
};

/** Writes the runs in pieces. The same runs make the same bytes on the server and on a device. */
export async function* exportPieces(
  format: ExportFormat,
  runs: RunSource,
  options: ExportOptions = {},
): AsyncGenerator<string | Uint8Array> {
  if (format === 'steps.csv') yield* stepsCsv(runs, options);
  else if (format === 'runs.csv') yield* runsCsv(runs, options);
  else if (format === 'log.xes') yield* xesLog(runs, options);
  else if (format === 'log.ocel.json') yield* ocelJson(runs);
  // Loaded on demand, since only this format needs to compress.
  else yield* (await import('./xlsx.ts')).stepsXlsx(runs);
}
