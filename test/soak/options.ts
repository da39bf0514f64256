/** The parts of `npm run soak`, from its arguments. */
import { parseArgs } from 'node:util';

export interface SoakPart {
  name: string;
  files: string[];
  env: Record<string, string>;
}

export const usage =
  'usage: npm run soak [-- [--minutes N] [--kills N] [--power-cuts N] [--cold-starts N] [--seed S]]; without a part, 3 minutes';

const minutesDefault = 3;

/** Returns undefined for arguments that the command does not take. */
export function parseSoak(args: string[], { hasStandby }: { hasStandby: boolean }): SoakPart[] | undefined {
  const values = readOptions(args);
  if (!values) return undefined;
  const { seed, ...parts } = values;
  if (seed !== undefined && !/^\d{1,10}$/.test(seed)) return undefined;
  if (Object.values(parts).some((value) => value !== undefined && !/^[1-9]\d{0,9}$/.test(value))) return undefined;
  const { kills, 'power-cuts': cuts, 'cold-starts': starts } = parts;
  const isPartNamed = Object.values(parts).some((value) => value !== undefined);
  const minutes = parts.minutes ?? (isPartNamed ? undefined : String(minutesDefault));
  const common: Record<string, string> = seed === undefined ? {} : { GEMBA_SEED: seed };
  const list: (SoakPart | false)[] = [
    minutes !== undefined && {
      name: `${minutes} minutes on the embedded store`,
      files: ['test/soak/embedded.test.ts'],
      env: { ...common, GEMBA_SOAK_MINUTES: minutes },
    },
    minutes !== undefined &&
      hasStandby && {
        name: `${minutes} minutes on PostgreSQL with a standby`,
        files: ['test/soak/standby.test.ts'],
        env: { ...common, GEMBA_SOAK_MINUTES: minutes },
      },
    kills !== undefined && {
      name: `${kills} kills of the server in mid-push`,
      files: ['test/scenario/operations/server-killed.test.ts'],
      env: { ...common, GEMBA_SERVER_KILLS: kills },
    },
    cuts !== undefined && {
      name: `${cuts} power cuts`,
      files: ['test/contract/store/power/power-cuts.test.ts'],
      env: { ...common, GEMBA_POWER_CUTS: cuts },
    },
    starts !== undefined && {
      name: `${starts} cold starts`,
      files: ['test/browser/app/both-faces/cold-start.test.ts'],
      env: { ...common, GEMBA_COLD_STARTS: starts },
    },
  ];
  return list.filter((part) => part !== false);
}

function readOptions(args: string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args,
      options: { minutes: text, kills: text, 'power-cuts': text, 'cold-starts': text, seed: text },
    }).values;
  } catch {
    return undefined;
  }
}
