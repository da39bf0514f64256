/** The verbs that need the network, without their code: a verb loads it when it is called. */
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
  return {
    pair: async (...args) => (await load()).pair(...args),
    pairingAccount: async (...args) => (await load()).pairingAccount(...args),
    account: async () => (await load()).account(),
    devices: async () => (await load()).devices(),
    renameDevice: async (...args) => (await load()).renameDevice(...args),
    revokeDevice: async (...args) => (await load()).revokeDevice(...args),
    keys: async () => (await load()).keys(),
    createKey: async (...args) => (await load()).createKey(...args),
    revokeKey: async (...args) => (await load()).revokeKey(...args),
    pairingCode: async (...args) => (await load()).pairingCode(...args),
  };
}
