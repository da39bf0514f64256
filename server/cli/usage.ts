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

/** The settings that `gemba` also takes as options. */
const optionNames: Record<string, string> = { PORT: '--port', HOST: '--host', DATA_DIR: '--data' };
const given = new Set<string>();

/** Called by `gemba` for each setting that the person gave as an option. */
export function givenAsOption(variable: string): void {
  given.add(variable);
}

/** `--port` if the person gave it so, and `PORT` otherwise. */
export const settingName = (variable: string): string =>
  given.has(variable) ? (optionNames[variable] ?? variable) : variable;

/** `--port` where the program has options, and `PORT` in the repository. */
export const settingToGive = (variable: string): string =>
  isInstalled ? (optionNames[variable] ?? variable) : variable;

/** How a person starts the server on this host: `HOST=0.0.0.0 npm start`, or `gemba --host 0.0.0.0`. */
export const startText = (host: string): string => (isInstalled ? `gemba --host ${host}` : `HOST=${host} npm start`);
