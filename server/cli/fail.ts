/** How a command says why it cannot go on: a line a problem on the standard error, and the exit code 1. */
export function fail(...problems: string[]): void {
  for (const problem of problems) console.error(`gemba: ${problem}`);
  process.exitCode = 1;
}
