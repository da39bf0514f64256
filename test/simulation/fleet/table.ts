/** The results of many seeds as a table for people. */
import type { SeedOutcome } from './simulate.ts';

export function historyOf({ seed, setting, trace, failures }: SeedOutcome): string {
  const found = failures.map(({ kind, detail }) => `${kind}: ${detail}`);
  return [`\nseed ${seed} ${JSON.stringify(setting)}`, ...trace.map((line) => `  ${line}`), ...found].join('\n');
}

export function tableOf(outcomes: readonly SeedOutcome[], ms: number): string {
  const sum = (of: (outcome: SeedOutcome) => number) => outcomes.reduce((total, outcome) => total + of(outcome), 0);
  const failed = outcomes.filter(({ failures }) => failures.length > 0);
  const rows: [string, string | number][] = [
    ['seeds', outcomes.length],
    ['devices', sum(({ setting }) => setting.devices)],
    ['recordings', sum(({ recordings }) => recordings)],
    ['other changes', sum(({ edits }) => edits)],
    ['crashes', sum(({ crashes }) => crashes)],
    ['faults', sum(({ faultsMet }) => faultsMet.length)],
    ['restores', sum(({ restores }) => restores)],
    ["others' answers", sum(({ foreignAnswers }) => foreignAnswers)],
    ['seconds', Math.round(ms / 1000)],
    ['failed seeds', failed.length],
    ...failuresByKind(failed),
  ];
  return `\n${rows.map(([name, figure]) => `${name.padEnd(24)}${figure}`).join('\n')}`;
}

/** Returns for each kind of failure its count, the number of its seeds, and the first seeds. */
function failuresByKind(failed: readonly SeedOutcome[]): [string, string][] {
  const kinds = [...new Set(failed.flatMap(({ failures }) => failures.map(({ kind }) => kind)))];
  return kinds.map((kind) => {
    const ofKind = failed.filter(({ failures }) => failures.some((failure) => failure.kind === kind));
    const count = ofKind.flatMap(({ failures }) => failures.filter((failure) => failure.kind === kind)).length;
    const seeds = ofKind.slice(0, 8).map(({ seed }) => seed);
    return [`  ${kind}`, `${count} in ${ofKind.length} seeds: ${seeds.join(' ')}${ofKind.length > 8 ? ' ...' : ''}`];
  });
}
