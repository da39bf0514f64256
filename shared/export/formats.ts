/** The formats of an export, by their file names. */
import { runsCsv, stepsCsv, type CsvOptions } from './csv.ts';
import type { RunSource } from './exported-run.ts';
import { ocelJson } from './ocel.ts';
import { xesLog, type XesOptions } from './xes.ts';

export const exportFormats = ['steps.csv', 'runs.csv', 'steps.xlsx', 'log.xes', 'log.ocel.json'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** The options of an export: `guard` and `bom` for CSV, `lifecycle` for XES. */
export interface ExportOptions extends CsvOptions, XesOptions {}

interface FormatFacts {
  contentType: string;
  stepsMax: number;
}

const exportStepsMax = 200_000;
/** XLSX allows fewer steps, since a spreadsheet program holds the whole file in memory. */
const sheetStepsMax = 50_000;

export const exportFacts: Record<ExportFormat, FormatFacts> = {
  'steps.csv': { contentType: 'text/csv; charset=utf-8', stepsMax: exportStepsMax },
  'runs.csv': { contentType: 'text/csv; charset=utf-8', stepsMax: exportStepsMax },
  'steps.xlsx': {
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    stepsMax: sheetStepsMax,
  },
  'log.xes': { contentType: 'application/xml; charset=utf-8', stepsMax: exportStepsMax },
  'log.ocel.json': { contentType: 'application/json', stepsMax: exportStepsMax },
};

const csvOptionValues = { guard: [true, false], bom: [true, false] };

/** The options of each format, with their allowed values. */
export const optionsOfFormat: Record<ExportFormat, { [Name in keyof ExportOptions]: readonly unknown[] }> = {
  'steps.csv': csvOptionValues,
  'runs.csv': csvOptionValues,
  'steps.xlsx': {},
  'log.xes': { lifecycle: ['complete', 'pairs'] },
  'log.ocel.json': {},
};

/** Writes the runs in pieces. The same runs give the same bytes on the server and on a device. */
export async function* exportInPieces(
  format: ExportFormat,
  runs: RunSource,
  options: ExportOptions = {},
): AsyncGenerator<string | Uint8Array> {
  if (format === 'steps.csv') yield* stepsCsv(runs, options);
  else if (format === 'runs.csv') yield* runsCsv(runs, options);
  else if (format === 'log.xes') yield* xesLog(runs, options);
  else if (format === 'log.ocel.json') yield* ocelJson(runs);
  // Load on demand, since only this format needs compression.
  else yield* (await import('./xlsx.ts')).stepsXlsx(runs);
}
