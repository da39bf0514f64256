/** Remembers how the person started this program, so that hints show commands as the person can type them. */
let isInstalled = false;

/** Called by `gemba`, the program of the package. */
export function markAsInstalled(): void {
  isInstalled = true;
}

/** `gemba` calls these commands by a shorter name. */
const commandNameInPackage: Record<string, string> = { 'relay-keys': 'keys' };

/** Returns `npm run backup -- DIR` in the repository, and `gemba backup DIR` in the installed package. */
export function commandText(command: string, rest = ''): string {
  const words = isInstalled
    ? `gemba ${commandNameInPackage[command] ?? command} ${rest}`
    : `npm run ${command}${rest ? ` -- ${rest}` : ''}`;
  return words.trimEnd();
}

/** The settings that `gemba` also takes as options. */
const optionBySetting: Record<string, string> = { PORT: '--port', HOST: '--host', DATA_DIR: '--data' };
const settingsGivenAsOption = new Set<string>();

/** Called by `gemba` for each setting that the person gave as an option. */
export function markGivenAsOption(variable: string): void {
  settingsGivenAsOption.add(variable);
}

/** Returns `--port` if the person gave that option, else `PORT`. */
export const settingName = (variable: string): string =>
  settingsGivenAsOption.has(variable) ? (optionBySetting[variable] ?? variable) : variable;

/** Returns `--port` in the installed package, and `PORT` in the repository, which has no options. */
export const settingToGive = (variable: string): string =>
  isInstalled ? (optionBySetting[variable] ?? variable) : variable;

/** Returns the command that starts the server on this host: `HOST=0.0.0.0 npm start`, or `gemba --host 0.0.0.0`. */
export const startText = (host: string): string => (isInstalled ? `gemba --host ${host}` : `HOST=${host} npm start`);
