/** Reads the engine's versions, ids, numbers and options, and its platform. */
import { appVersion, protocolVersion } from '../../shared/protocol/version.ts';
import { migrations } from '../storage/migration/migrations.ts';
import { requestFormsOf } from '../sync/net/request-forms.ts';
import type { InspectedEngine } from './inspected-engine.ts';
import type { EngineFacts, PlatformFacts } from './shapes.ts';

export function readEngine({ options, kind, outbox, view }: InspectedEngine): EngineFacts {
  const { client_id, device_id, account_id, token, last_seq, offered_seq, proven_seq } = outbox.device;
  const { runsMax, runsDays, runsPerMap } = options.scope?.bounds ?? {};
  const { pushEffects, packedPages } = requestFormsOf(options);
  const numbers = Object.entries({ runs_max: runsMax, runs_days: runsDays, runs_per_map: runsPerMap });
  return {
    version: appVersion,
    protocol: protocolVersion,
    rows_version: migrations.length,
    kind,
    server: new URL(options.url).origin,
    database: options.name,
    device_id,
    client_id,
    account_id: account_id ?? null,
    has_token: options.token !== undefined || token !== null,
    last_seq,
    sent_seq: offered_seq ?? null,
    proven_seq: proven_seq ?? (view.client ? view.settledSeq : null),
    options: {
      ...Object.fromEntries(numbers.filter((entry): entry is [string, number] => entry[1] !== undefined)),
      push_effects: pushEffects,
      packed_pages: packedPages,
      report: options.report ?? true,
      own_fetch: options.fetch !== undefined,
      carries: options.carrier !== undefined,
      hands_over: options.handOver !== undefined,
    },
  };
}

export function readPlatform(): PlatformFacts {
  const { userAgent, language, onLine }: Partial<Navigator> = globalThis.navigator ?? {};
  return {
    user_agent: userAgent ?? null,
    language: language ?? null,
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    is_online: onLine ?? null,
    is_visible: typeof document === 'undefined' ? null : document.visibilityState === 'visible',
  };
}
