/**
 * The parts of an engine that the inspector reads. The inspector changes only the detour, an object that can replace
 * the engine's `fetch`: a trace sets `trace` and `fetch` of the detour.
 */
import type { Observable } from 'rxjs';
import type { Clock } from '../core/clock.ts';
import type { Lifetime } from '../core/lifetime.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Recordings } from '../recording/recordings.ts';
import type { Carrying, ReadCode } from '../relay/carrier-verbs.ts';
import type { DeviceTables } from '../storage/device-tables.ts';
import type { SuppliedStorage } from '../storage/row-storage.ts';
import type { Detour } from '../sync/net/detour.ts';
import type { RunScope } from '../sync/scope/hooks.ts';
import type { Status } from '../sync/tabs/status.ts';
import type { View } from '../view/view.ts';
import type { HandedOver } from './shapes.ts';

/**
 * The options of `openGemba` that the inspector shows or uses. The inspector shows whether there is a token, but not
 * the token.
 */
interface InspectedOptions {
  name: string;
  url: string;
  token?: string;
  fetch?: typeof globalThis.fetch;
  storage?: SuppliedStorage;
  pushEffects?: boolean;
  packedPages?: boolean;
  report?: boolean;
  scope?: Pick<RunScope, 'bounds'>;
  carrier?: object;
  handOver?: object;
}

export interface InspectedEngine {
  options: InspectedOptions;
  kind: string;
  store: Pick<DeviceTables, 'records' | 'outbox' | 'drafts' | 'journal' | 'storageHealth'>;
  outbox: Outbox;
  view: View;
  recordings: Recordings;
  clock: Pick<Clock, 'wallMs' | 'monotonicMs'>;
  lifetime: Lifetime;
  detour: Detour;
}

/** An inspected engine with its status. `attach` gets the status as a separate argument. */
export interface ObservedEngine extends InspectedEngine {
  status$: Observable<Status>;
}

/** Returns the observables of the carrier in the options. A carrier from `createCarrier` has all of them. */
export function carrierReadsOf({ options: { carrier } }: InspectedEngine): Partial<CarrierReads> {
  return carrier ?? {};
}

/** Returns the observables of the hand-over in the options. A hand-over from `createHandOver` has all of them. */
export function handOverReadsOf({ options: { handOver } }: InspectedEngine): Partial<HandOverReads> {
  return handOver ?? {};
}

interface CarrierReads {
  carrying$: Observable<Carrying>;
  readCodes$: Observable<ReadCode[]>;
}

interface HandOverReads {
  carriers$(recordingSessionId: string): Observable<HandedOver[]>;
  handOverProblem$: Observable<{ code: string } | null>;
}

/**
 * The carrier and the hand-over that an inspector shows. An app passes them here if it loads their code after the
 * engine has opened. The engine's options then hold only objects that load this code.
 */
export interface InspectedRelay {
  carrier?: CarrierReads;
  handOver?: HandOverReads;
}
