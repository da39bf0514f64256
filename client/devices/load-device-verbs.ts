/** The verbs of device-verbs.ts. Their code loads when one of them is first called. */
import { GembaError } from '../core/errors.ts';
import type { DeviceVerbs, DeviceVerbsOptions } from './device-verbs.ts';

export function deviceVerbsOnDemand(options: DeviceVerbsOptions): DeviceVerbs {
  let loaded: DeviceVerbs | undefined;
  const load = () =>
    import('./device-verbs.ts').then(
      ({ deviceVerbs }) => (loaded ??= deviceVerbs(options)),
      () => {
        throw new GembaError({ code: 'unreachable', detail: 'The code of this verb could not be loaded.' });
      },
    );
  const verb = (name: keyof DeviceVerbs) => {
    const call = async (...args: unknown[]) => ((await load())[name] as (...given: unknown[]) => unknown)(...args);
    return [name, call];
  };
  return Object.fromEntries(verbNames.map(verb)) as DeviceVerbs;
}

const verbNames = [
  'pair',
  'pairingAccount',
  'account',
  'devices',
  'renameDevice',
  'revokeDevice',
  'keys',
  'createKey',
  'revokeKey',
  'pairingCode',
] as const satisfies (keyof DeviceVerbs)[];
