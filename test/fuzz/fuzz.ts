/** `npm run fuzz -- --requests 100000 [--seed N]`: prints the requests, the answers, and what was wrong. */
import { parseArgs } from 'node:util';
import { runFuzzRound, type RoundFigure, type Violation } from './round.ts';

/** A round fills its server with records; the next round begins with an empty server and the next seed. */
const requestsPerRound = 5_000;
const violationsShownMax = 20;
let violationsShown = 0;

const { values } = parseArgs({ options: { requests: { type: 'string' }, seed: { type: 'string' } } });
const requests = Number(values.requests ?? 100_000);
const firstSeed = Number(values.seed ?? process.env['GEMBA_SEED'] ?? Date.now() % 1_000_000);
const rounds: RoundFigure[] = [];
const startedAt = performance.now();
const printLine = (line: string) => process.stdout.write(`${line}\n`);

for (let left = requests; left > 0; left -= requestsPerRound) {
  const seed = firstSeed + rounds.length;
  const figure = await runFuzzRound({ seed, requests: Math.min(left, requestsPerRound), onViolation });
  rounds.push(figure);
  printLine(
    `seed ${seed}: ${figure.requests} requests, ${figure.answers} answers, ${figure.violations.length} violations`,
  );
}

const violations = rounds.flatMap((round) => round.violations);
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
printLine(`
fuzz      ${sum(rounds.map((round) => round.requests))} requests in ${Math.round((performance.now() - startedAt) / 1000)} s, ${sum(rounds.map((round) => round.answers))} answers
seeds     ${firstSeed} to ${firstSeed + rounds.length - 1}
requests  ${totalsText(rounds.map(({ kinds }) => kinds))}
statuses  ${totalsText(rounds.map(({ statuses }) => statuses))}
violations ${violations.length}`);
process.exitCode = violations.length > 0 ? 1 : 0;

function onViolation({ seed, what, sent }: Violation): void {
  if (violationsShown++ < violationsShownMax) printLine(`\nseed ${seed}: ${what}\n  ${sent}`);
}

function totalsText(counts: Map<string | number, number>[]): string {
  const keys = [...new Set(counts.flatMap((one) => [...one.keys()]))].toSorted();
  return keys.map((key) => `${key}: ${sum(counts.map((one) => one.get(key) ?? 0))}`).join('  ');
}
