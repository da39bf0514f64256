/** How the person started this program, so that a hint can be typed as it reads. */
let isInstalled = false;

/** Called by `gemba`, the program of the package. */
export function startedByGemba(): void {
  isInstalled = true;
}

/** `gemba` has a shorter name for these. */
const programName: Record<string, string> = { 'relay-keys': 'keys' };

/** `npm run backup -- DIR` in the repository, `gemba backup DIR` where the package is installed. */
export function commandText(command: string, rest = ''): string {
  const words = isInstalled
    ? `gemba ${programName[command] ?? command} ${rest}`
    : `npm run ${command}${rest ? ` -- ${rest}` : ''}`;
  return words.trimEnd();
}

/** How a person starts the server: `HOST=0.0.0.0 npm start`, or `HOST=0.0.0.0 gemba`. */
export const startText = (variables: string): string => `${variables} ${isInstalled ? 'gemba' : 'npm start'}`;
