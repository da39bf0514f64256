/**
 * Checks the platform and the options of `openGemba`, since apps in JavaScript have no compiler, and types cannot
 * express all rules. The app of this repository skips these checks. A browser that can run the engine's modules may lack
 * only a secure context, which client/storage/row-storage.ts checks.
 */
import { requireFields, throwIfInvalid } from '../core/validate.ts';
import type { EarlyEngine, Gemba, GembaOptions, ScopedGemba } from '../gemba.ts';
import { openGemba } from '../open.ts';
import type { RunScope } from '../sync/scope/hooks.ts';
import { toCheckedEarlyEngine, toCheckedGemba } from './checked-gemba.ts';
import { createAddressExplainer } from './explain-address.ts';

interface OptionCheck {
  isValid(value: unknown): boolean;
  message: string;
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
const objectCheck: OptionCheck = { isValid: isObject, message: 'must be an object' };
const functionCheck: OptionCheck = { isValid: (value) => typeof value === 'function', message: 'must be a function' };
const booleanCheck: OptionCheck = { isValid: (value) => typeof value === 'boolean', message: 'must be true or false' };
const objectWithMethod = (verb: string, message: string): OptionCheck => ({
  isValid: (value) => isObject(value) && typeof (value as Record<string, unknown>)[verb] === 'function',
  message,
});

const isStorage = (value: unknown): boolean =>
  isObject(value) && (['open', 'createStorageInstance'] as const).some((verb) => verb in (value as object));

const optionChecks: Record<keyof GembaOptions, OptionCheck> = {
  name: {
    isValid: (value) => typeof value === 'string' && value !== '',
    message: 'must be text that names the database of the device',
  },
  url: {
    isValid: (value) => typeof value === 'string' && /^https?:\/\/./i.test(value) && URL.canParse(value),
    message: 'must be the http or https URL of the server',
  },
  token: {
    isValid: (value) => typeof value === 'string' && /^[\x21-\x7e]+$/.test(value),
    message: 'must be an API key or a token, printable ASCII without spaces',
  },
  kind: {
    isValid: (value) => ['phone', 'wearable', 'desk'].includes(value as string),
    message: 'must be phone, wearable or desk',
  },
  storage: { isValid: isStorage, message: 'must be a storage, such as nodeStorage(path) of gemba/node' },
  mirror: objectCheck,
  tabs: objectCheck,
  clock: objectCheck,
  ids: objectCheck,
  random: functionCheck,
  fetch: functionCheck,
  pushEffects: booleanCheck,
  packedPages: booleanCheck,
  report: booleanCheck,
  scope: objectWithMethod('attach', 'must be made by runScope'),
  onBegun: functionCheck,
  photos: objectCheck,
  carrier: objectWithMethod('attach', 'must be made by createCarrier'),
  handOver: objectWithMethod('attach', 'must be made by createHandOver'),
  inspector: objectWithMethod('attach', 'must be made by createInspector'),
};

/** If one of these globals is missing, the check of the whole platform is loaded. Current browsers have all of them. */
const neededGlobals = ['crypto', 'TextEncoder', 'TextDecoder', 'AbortController', 'performance'] as const;

/** Opens the engine as `openGemba` of client/open.ts does. Rejects with `validation_failed` if an option is invalid. */
export async function openCheckedGemba(options: GembaOptions & { scope: RunScope }): Promise<ScopedGemba>;
export async function openCheckedGemba(options: GembaOptions): Promise<Gemba>;
export async function openCheckedGemba(options: GembaOptions): Promise<Gemba> {
  requireFields(options, Object.keys(optionChecks));
  const needed = ['name', 'url'] as const;
  const names = Object.keys(optionChecks) as (keyof GembaOptions)[];
  const wrong = names.filter((name) => {
    const value = options[name];
    return value === undefined ? needed.some((other) => other === name) : !optionChecks[name].isValid(value);
  });
  throwIfInvalid(wrong.map((name) => ({ path: `/${name}`, message: optionChecks[name].message })));
  if (neededGlobals.some((name) => globalThis[name] === undefined)) {
    const { requirePlatform } = await import('../core/platform.ts');
    requirePlatform();
  }
  const { onBegun } = options;
  const early = onBegun && { onBegun: (engine: EarlyEngine) => onBegun(toCheckedEarlyEngine(engine)) };
  return toCheckedGemba(await openGemba({ ...options, ...early }), createAddressExplainer(options));
}
