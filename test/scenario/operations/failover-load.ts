/** Workers that load the two processes; each knows the outcome that its work must have. */
import { expect } from 'vitest';
import type { FailoverApi } from './failing-pair.ts';
import { Api, steps, type Received } from '../../contract/fixture.ts';
import { type Random, randomBelow } from '../../random.ts';
import { SyncClient, type SentMutation } from '../../contract/sync-client.ts';

export interface Worker {
  /** Does one piece of work and resolves when it is acknowledged. */
  work(): Promise<void>;
}

const stagesMax = 12;

/** Edits the stages and the name of a map of its own over REST, and knows their order. */
export class Editor implements Worker {
  readonly mapId: string;
  readonly stages: { id: number; stage: string }[] = [];
  name = 'Map';
  edits = 0;
  readonly #api: FailoverApi;
  readonly #random: Random;

  constructor(given: { api: FailoverApi; random: Random; mapId: string }) {
    this.mapId = given.mapId;
    this.#api = given.api;
    this.#random = given.random;
  }

  async work(): Promise<void> {
    const path = `/api/v1/maps/${this.mapId}`;
    const number = ++this.edits;
    const place = randomBelow(this.#random, this.stages.length + 1);
    const choice = randomBelow(this.#random, 4);
    if (choice === 0) {
      this.name = `Map ${number}`;
      expect((await this.#api.patch(path, { name: this.name })).status).toBe(200);
    } else if (this.stages.length > stagesMax || (choice === 1 && place < this.stages.length)) {
      const [gone] = this.stages.splice(Math.min(place, this.stages.length - 1), 1);
      expect((await this.#api.post(`${path}/stages/${gone!.id}/delete`)).status).toBe(200);
    } else if (choice === 2 && place < this.stages.length) {
      const [moved] = this.stages.splice(place, 1);
      const to = randomBelow(this.#random, this.stages.length + 1);
      this.stages.splice(to, 0, moved!);
      expect((await this.#api.patch(`${path}/stages/${moved!.id}`, { order: to + 1 })).status).toBe(200);
    } else {
      const stage = `Stage ${number}`;
      const { status, body } = await this.#api.post(`${path}/stages`, { stage, order: place + 1 });
      expect(status).toBe(201);
      this.stages.splice(place, 0, { id: body.id, stage });
    }
  }
}

export interface UploadedRun {
  session: string;
  runId: number;
  number: number;
}

/** Uploads recordings over REST, some of them twice, and deletes some of the runs. */
export class RestUploader implements Worker {
  readonly kept: UploadedRun[] = [];
  readonly deleted: UploadedRun[] = [];
  readonly #given: { api: FailoverApi; random: Random; mapId: string; name: string };

  constructor(given: { api: FailoverApi; random: Random; mapId: string; name: string }) {
    this.#given = given;
  }

  async work(): Promise<void> {
    const { api, random, mapId, name } = this.#given;
    const session = `${name}-${this.kept.length + this.deleted.length + 1}`;
    const recording = { recording_session_id: session, steps: steps('A', 'B') };
    // The recording session alone makes the upload idempotent.
    const upload = () => api.retryUntilServed((at) => at.post(`/api/v1/maps/${mapId}/recording`, recording));
    const { status, body } = await upload();
    expect(status).toBe(200);
    if (randomBelow(random, 4) === 0) expect((await upload()).body.run).toEqual(body.run);
    const recorded = { session, runId: body.run.id, number: body.run.number };
    if (randomBelow(random, 5) > 0) return void this.kept.push(recorded);
    expect((await api.post(`/api/v1/runs/${recorded.runId}/delete`)).status).toBe(200);
    this.deleted.push(recorded);
  }
}

const batchMax = 6;

/** A device that sends its outbox until it is acknowledged. */
export class PushingDevice implements Worker {
  /** The client keeps its numbers when it turns to another process. */
  readonly client = new SyncClient(new Api({ url: '', key: '', accountId: '' }));
  readonly sent: UploadedRun[] = [];
  readonly #given: { api: FailoverApi; random: Random; mapId: string; name: string };
  #acked = 0;

  constructor(given: { api: FailoverApi; random: Random; mapId: string; name: string }) {
    this.#given = given;
  }

  async work(): Promise<void> {
    const { api, random, mapId, name } = this.#given;
    const outbox: SentMutation[] = [];
    for (let left = randomBelow(random, batchMax); left >= 0; left--) {
      const recording_session_id = `${name}-${this.sent.length + outbox.length + 1}`;
      const args = { map_id: mapId, recording_session_id, steps: steps('A', 'B') };
      outbox.push(this.client.next('upload_recording', args));
    }
    const { status, body } = await api.retryUntilServed((at) =>
      this.client.push(outbox, { api: at, acked: this.#acked }),
    );
    expect(status).toBe(200);
    expect(body.results.map((result: Received['body']) => [result.seq, result.status])).toEqual(
      outbox.map(({ seq }) => [seq, 'applied']),
    );
    for (const { result } of body.results) {
      this.sent.push({ session: result.recording_session_id, runId: result.run.id, number: result.run.number });
    }
    this.#acked = body.last_seq;
  }
}

const pageMax = 50;

/** Pulls the changes and keeps them as a device would. */
export class PullingDevice implements Worker {
  readonly held = new Map<string, Received['body']>();
  readonly #api: FailoverApi;
  #cursor = '';
  #version = 0;

  constructor(api: FailoverApi) {
    this.#api = api;
  }

  async work(): Promise<void> {
    for (let more = true; more;) {
      const query = { cursor: this.#cursor, limit: pageMax };
      const { status, body } = await this.#api.retryUntilServed((at) => new SyncClient(at).pull(query));
      expect(status).toBe(200);
      for (const change of body.changes) {
        expect(change.version).toBeGreaterThan(this.#version);
        this.#version = change.version;
        const key = `${change.kind} ${change.id}`;
        if (change.deleted) this.held.delete(key);
        else this.held.set(key, change);
      }
      this.#cursor = body.cursor;
      more = body.has_more;
    }
  }
}
