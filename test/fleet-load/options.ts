/** The options of `npm run fleet`, each with its bounds. */
import { parseArgs } from 'node:util';

export interface LoadOptions {
  devices: number;
  /** How long the simulated day takes. */
  minutes: number;
  seed: number;
  sqlite: boolean;
  /** Runs everything within seconds; the figures mean nothing. */
  smoke: boolean;
}

export type ParsedOptions = { ok: true; options: LoadOptions } | { ok: false; problem: string };

const devicesMin = 20;
const devicesMax = 20_000;
const minutesMax = 30;
const smokeDefaults = { devices: 60, minutes: 0.06 };

export function parseOptions(args: string[]): ParsedOptions {
  const given = readArgs(args);
  if (typeof given === 'string') return { ok: false, problem: given };
  const { sqlite, smoke } = given;
  const defaults = smoke ? smokeDefaults : { devices: 10_000, minutes: 4 };
  const devices = Number(given.devices ?? defaults.devices);
  const minutes = Number(given.minutes ?? defaults.minutes);
  const seed = Number(given.seed ?? Date.now() % 2 ** 31);
  if (!Number.isInteger(devices) || devices < devicesMin || devices > devicesMax) {
    return { ok: false, problem: `--devices must be a whole number from ${devicesMin} to ${devicesMax}` };
  }
  if (!(minutes > 0 && minutes <= minutesMax)) {
    return { ok: false, problem: `--minutes must be more than 0 and at most ${minutesMax}` };
  }
  if (!Number.isInteger(seed) || seed < 0 || seed >= 2 ** 32) {
    return { ok: false, problem: '--seed must be a whole number from 0 to 4294967295' };
  }
  return { ok: true, options: { devices, minutes, seed, sqlite, smoke } };
}

/** Returns the text of the problem if an option is unknown or lacks its value. */
function readArgs(args: string[]) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        devices: { type: 'string' },
        minutes: { type: 'string' },
        seed: { type: 'string' },
        sqlite: { type: 'boolean', default: false },
        smoke: { type: 'boolean', default: false },
      },
    });
    return values;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
