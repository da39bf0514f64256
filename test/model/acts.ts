/** The acts of devices and the server, each computed once for the parts that it depends on. */
import { beginRound, copyOf, fail, restart, tap } from './device.ts';
import type { Device } from './device-state.ts';
import { Parts, perPair, perPart } from './parts.ts';
import { receive, takePage } from './receive.ts';
import { restored, servePull, servePush, type ServerState } from './server.ts';
import type { Bound } from './state.ts';

export interface Served {
  what: string;
  server: ServerState;
  device: Device;
}

export type Acts = ReturnType<typeof actsOf>;

export function actsOf({ mutations, pageMax = Infinity }: Pick<Bound, 'mutations' | 'pageMax'>) {
  const parts = new Parts();
  const once = (act: (device: Device) => Device | Promise<Device>) =>
    perPart(async (device: Device) => parts.one(await act(device)));
  const onceIfAny = (act: (device: Device) => Promise<Device | undefined>) =>
    perPart(async (device: Device) => {
      const after = await act(device);
      return after && parts.one(after);
    });
  return {
    parts,
    receive: once(receive),
    beginRound: once(beginRound),
    restart: once(restart),
    waitInVain: once((device) => fail(device, { kind: 'unreachable', detail: '', timedOut: true })),
    tap: onceIfAny((device) => tap(device, mutations)),
    afterHalfAPull: onceIfAny(afterHalfAPull),
    /** Returns the device and its copy, for each way to share what is left to make. */
    copies: perPart((device: Device) =>
      sharesOf(device.toMake).map(({ kept, given }) => ({
        original: parts.one({ ...device, toMake: kept }),
        copyAs: (name: string) => parts.one(copyOf(device, name, given)),
      })),
    ),
    serve: perPair(async (before: ServerState, sender: Device): Promise<Served | undefined> => {
      const { what, server, device } = (await serve(before, sender, pageMax)) ?? {};
      return server && device && { what: what ?? '', server: parts.one(server), device: parts.one(device) };
    }),
    restore: perPair((backup: ServerState, replaced: ServerState) => parts.one(restored(backup, replaced))),
  };
}

async function serve(before: ServerState, device: Device, pageMax: number): Promise<Served | undefined> {
  const { exchange, name, variant } = device;
  if (!exchange) return undefined;
  if (exchange.kind === 'pull') {
    const answer = servePull(before, exchange.request, pageMax);
    const what = `the server answers the pull of ${name}`;
    return { what, server: before, device: { ...device, exchange: { ...exchange, answer } } };
  }
  const { server, answer } = await servePush(before, exchange.request, variant);
  const pushed = exchange.kind === 'push' ? exchange.entries.map(({ seq }) => seq).join(', ') : 'an empty push';
  const outcome = answer.ok ? 'takes' : answer.error.code;
  const what = `the server ${outcome} ${pushed} of ${name}`;
  return { what, server, device: { ...device, exchange: { ...exchange, answer } } };
}

/** The records of a pull are written before the outbox is settled, so a crash may come between the two. */
async function afterHalfAPull(device: Device): Promise<Device | undefined> {
  const { exchange, variant, base } = device;
  if (exchange?.kind !== 'pull' || !exchange.answer) return undefined;
  if (variant === 'cursor of a failed write') {
    const { cursor, epoch } = exchange.answer;
    return restart({ ...device, base: { ...base, cursor: { cursor, epoch } } });
  }
  const written = await takePage({ ...device, exchange: undefined }, exchange).catch(() => undefined);
  return written && !written.exchange ? restart(written) : undefined;
}

/** Returns each way to share the numbers between two, each in their order. */
function sharesOf(numbers: readonly number[]): { kept: number[]; given: number[] }[] {
  return numbers.reduceRight<{ kept: number[]; given: number[] }[]>(
    (shares, number) =>
      shares.flatMap(({ kept, given }) => [
        { kept: [number, ...kept], given },
        { kept, given: [number, ...given] },
      ]),
    [{ kept: [], given: [] }],
  );
}
