/** The output of the demo. */
import { cycleEfficiency, sum } from '../../shared/domain/analytics.ts';
import { compareRuns } from '../../shared/domain/study/compare.ts';
import { stageKey } from '../../shared/domain/stages/stage-key.ts';
import type { RunDoc } from '../../shared/schema/run.ts';
import type { DemoRecording } from './device.ts';
import type { ServerMap } from './server-runs.ts';

export function printRecorded({ recordings, brokenLines }: DemoRecording): void {
  const steps = sum(recordings.map((recording) => recording.steps.length));
  const refused = brokenLines === 0 ? '' : ` ${countText(brokenLines, 'line')} could not be recorded.`;
  console.log(
    `On the device: ${countText(recordings.length, 'recording')} with ${countText(steps, 'step')}.${refused}`,
  );
}

export function printServerRuns(maps: ServerMap[]): void {
  console.log(`The server holds ${countText(maps.length, 'map')}.`);
  for (const { map, runs } of maps) {
    const steps = sum(runs.map((run) => run.step_count));
    console.log(`\n${map.name}: ${countText(runs.length, 'run')}, ${countText(steps, 'step')}`);
    if (runs.length > 0) console.log(alignedTable(stageRows(runs)));
  }
  console.log('');
}

/**
 * Computes the figures of all runs by the rules of `POST /runs/compare`, which takes at most 50 runs. PCE is the share of
 * valuable time.
 */
function stageRows(runs: RunDoc[]): string[][] {
  const steps = runs.flatMap((run) => run.steps);
  const stepsOf = (name: string) => steps.filter((step) => stageKey(step.stage_name) === stageKey(name));
  const rows = compareRuns(runs).stages.map(({ stage_name, runs: count, median_secs }) => {
    return [stage_name, String(count), durationText(median_secs), pceOf(stepsOf(stage_name))];
  });
  return [['stage', 'runs', 'median', 'PCE'], ...rows, ['all stages', String(runs.length), '', pceOf(steps)]];
}

function pceOf(steps: RunDoc['steps']): string {
  const secsOf = (some: RunDoc['steps']) => sum(some.map(({ duration_secs }) => duration_secs));
  const pce = cycleEfficiency(secsOf(steps.filter(({ value_add }) => value_add)), secsOf(steps));
  return pce === null ? '-' : `${(100 * pce).toFixed(1)} %`;
}

function durationText(secs: number): string {
  if (secs < 120) return `${secs.toFixed(1)} s`;
  if (secs < 7_200) return `${(secs / 60).toFixed(1)} min`;
  return secs < 172_800 ? `${(secs / 3_600).toFixed(1)} h` : `${(secs / 86_400).toFixed(1)} d`;
}

/** Aligns names to the left and figures to the right. */
function alignedTable(rows: string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const padded = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!);
  return rows.map((row) => `  ${row.map(padded).join('  ')}`).join('\n');
}

function countText(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}
