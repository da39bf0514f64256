/** Prints each problem as a line on stderr and sets the exit code to 1. */
export function fail(...problems: string[]): void {
  for (const problem of problems) console.error(`gemba: ${problem}`);
  process.exitCode = 1;
}
