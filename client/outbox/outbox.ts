/**
 * The ordered outbox: what this device did and still answers for.
 *
 *   append ─► pending ─┬─ pulled as done ───► gone, or a receipt when it is a recording
 *                      └─ pulled as refused ► refused: needs attention, gone when a person resolved it
 *
 * Each append numbers its mutations and writes them, and the device's row with the new `last_seq`, in one transaction.
 */
import type { Observable } from 'rxjs';
import type { ClientDoc } from '../../shared/protocol/pull.ts';
import { assert } from '../../shared/domain/assert.ts';
import type { MutationArgs, MutationName } from '../../shared/schema/mutation.ts';
import type { Ids } from '../ids.ts';
import type { Locks } from '../store/locks.ts';
import { deviceRowId, type DeviceBody, type MutationBody, type OutboxBody, type Row } from '../store/rows.ts';
import type { Table, Written } from '../store/table.ts';

/** A mutation about to be made. */
export type NewMutation = { [Name in MutationName]: { name: Name; args: MutationArgs[Name] } }[MutationName];

export interface OutboxOptions {
  table: Table<OutboxBody>;
  locks: Locks;
  ids: Ids;
  now: () => string;
}

/** Recordings stay as receipts for 30 days after the server had them. */
export const receiptMsMax = 30 * 24 * 60 * 60_000;

export class Outbox {
  readonly #table: Table<OutboxBody>;
  readonly #locks: Locks;
  readonly #ids: Ids;
  readonly #now: () => string;

  private constructor({ table, locks, ids, now }: OutboxOptions) {
    this.#table = table;
    this.#locks = locks;
    this.#ids = ids;
    this.#now = now;
  }

  static async open(options: OutboxOptions): Promise<Outbox> {
    const outbox = new Outbox(options);
    await outbox.#exclusive(async () => {
      if (await outbox.#table.refresh(deviceRowId)) return;
      await outbox.#table.write([deviceRow(newDevice(outbox.#ids))]);
    });
    return outbox;
  }

  get device(): DeviceBody {
    const body = this.#table.get(deviceRowId);
    assert(body?.kind === 'device', 'the outbox knows its device');
    return body;
  }

  get written$(): Observable<Written<OutboxBody>> {
    return this.#table.written$;
  }

  /** The mutations in the order in which they were made. */
  mutations(state: MutationBody['state']): MutationBody[] {
    const found: MutationBody[] = [];
    for (const [, body] of this.#table.entries()) {
      if (body.kind === 'mutation' && body.state === state) found.push(body);
    }
    return found.toSorted((a, b) => a.seq - b.seq);
  }

  /** Whatever became of it: the mutation that uploads this recording. */
  uploadOf(recordingSessionId: string): MutationBody | undefined {
    for (const [, body] of this.#table.entries()) {
      if (body.kind === 'mutation' && body.args['recording_session_id'] === recordingSessionId) return body;
    }
    return undefined;
  }

  /** Makes mutations, all or none; resolves when they are durable. `replacing` is removed in the same transaction. */
  append(mutations: NewMutation[], replacing: MutationBody[] = []): Promise<MutationBody[]> {
    return this.#exclusive(async () => {
      const device = await this.#freshDevice();
      const recorded_at = this.#now();
      const bodies = mutations.map(({ name, args }, index) =>
        newBody({ client_id: device.client_id, seq: device.last_seq + 1 + index, name, args, recorded_at }),
      );
      const head = { ...device, last_seq: device.last_seq + bodies.length };
      await this.#table.write(
        [deviceRow(head), ...bodies.map(rowOf)],
        replacing.map((body) => rowOf(body).id),
      );
      return bodies;
    });
  }

  /**
   * Takes in what other tabs made when word of it has not come yet: of all numbers from the settled ones to the last
   * given, this tab knows the mutations then. Without it one's own would be pushed before an earlier one of another tab.
   */
  async catchUp(settled: () => number): Promise<void> {
    const { client_id, last_seq } = await this.#freshDevice();
    const settledSeq = settled();
    const unsettled = this.mutations('pending').filter((body) => body.client_id === client_id && body.seq > settledSeq);
    if (unsettled.length < last_seq - settledSeq) await this.#table.refreshAll();
  }

  /** Takes in what the pull told of this device's mutations: done ones go, recordings stay as receipts, refused ones wait for a person. */
  async settle({ last_seq, rejections }: ClientDoc): Promise<void> {
    await this.#exclusive(async () => {
      const errors = new Map(rejections.map(({ seq, error }) => [seq, error]));
      const settled = this.mutations('pending').filter(
        ({ seq, client_id }) => seq <= last_seq && client_id === this.device.client_id,
      );
      const acknowledged_at = this.#now();
      const kept: MutationBody[] = [];
      const gone: MutationBody[] = [];
      for (const body of settled) {
        const error = errors.get(body.seq);
        if (error) kept.push({ ...body, state: 'refused', error });
        else if (isRecording(body)) kept.push({ ...body, state: 'receipt', acknowledged_at });
        else gone.push(body);
      }
      await this.#table.write(
        kept.map(rowOf),
        gone.map((body) => rowOf(body).id),
      );
    });
  }

  /**
   * The server lacks what it had (restored from a backup): numbers all that is held anew, under a new client id, so that
   * receipts and pending mutations are offered again in their order. Once for a reason; idempotency makes it safe.
   */
  async offerAgain(reason: string): Promise<void> {
    await this.#exclusive(async () => {
      await this.#table.refreshAll();
      const device = this.device;
      if (device.offered_for === reason) return;
      const client_id = this.#ids.uuid();
      const held = [...this.mutations('receipt'), ...this.mutations('pending')];
      const offered = held.map((body, index): MutationBody => ({
        ...body,
        client_id,
        seq: index + 1,
        state: 'pending',
        acknowledged_at: null,
      }));
      const head = { ...device, client_id, last_seq: offered.length, offered_for: reason };
      await this.#table.write(
        [deviceRow(head), ...offered.map(rowOf)],
        held.map((body) => rowOf(body).id),
      );
    });
  }

  /** Forgets the receipts that were acknowledged before this time. */
  async pruneReceipts(before: string): Promise<void> {
    const old = this.mutations('receipt').filter(
      ({ acknowledged_at }) => acknowledged_at !== null && acknowledged_at < before,
    );
    await this.#table.write(
      [],
      old.map((body) => rowOf(body).id),
    );
  }

  async rememberToken(token: string): Promise<void> {
    await this.#exclusive(async () => {
      await this.#table.write([deviceRow({ ...(await this.#freshDevice()), token })]);
    });
  }

  #exclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#locks.exclusive('outbox', work);
  }

  async #freshDevice(): Promise<DeviceBody> {
    await this.#table.refresh(deviceRowId);
    return this.device;
  }
}

function newDevice(ids: Ids): DeviceBody {
  return {
    kind: 'device',
    client_id: ids.uuid(),
    last_seq: 0,
    device_id: ids.uuid(),
    token: null,
    offered_for: null,
  };
}

function newBody(
  made: Pick<MutationBody, 'client_id' | 'seq' | 'name' | 'recorded_at'> & { args: object },
): MutationBody {
  const args = JSON.parse(JSON.stringify(made.args)) as Record<string, unknown>;
  return { kind: 'mutation', ...made, args, state: 'pending', error: null, acknowledged_at: null };
}

export const isRecording = ({ name }: Pick<MutationBody, 'name'>): boolean =>
  name === 'upload_recording' || name === 'record_new_map';

const deviceRow = (body: DeviceBody): Row<OutboxBody> => ({ id: deviceRowId, body });

const seqDigits = 16;

const mutationRowId = (clientId: string, seq: number): string =>
  `mutation|${clientId}|${String(seq).padStart(seqDigits, '0')}`;

const rowOf = (body: MutationBody): Row<OutboxBody> => ({ id: mutationRowId(body.client_id, body.seq), body });
