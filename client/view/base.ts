/** Holds the server's records as last pulled, indexed for the view and for the replay of mutations. */
import type { ClientProgress } from '../../shared/protocol/pull.ts';
import type { MapDoc } from '../../shared/schema/map.ts';
import type { RunDoc } from '../../shared/schema/run.ts';
import type { MutationFields } from '../outbox/model/entry.ts';
import { kindAndIdOf, type CachedMap, type CursorBody, type RecordBody } from '../storage/rows.ts';
import type { WrittenRows } from '../storage/row-cache.ts';
import type { Table } from '../storage/table.ts';

export class Base {
  readonly maps = new Map<string, MapDoc>();
  readonly runs = new Map<number, RunDoc>();
  readonly runIdsOfMap = new Map<string, Set<number>>();
  readonly runIdOfSession = new Map<string, number>();
  /** The server's records of the device's sequences, by client id. */
  readonly clients = new Map<string, ClientProgress>();
  /** How far the device has pulled; undefined before the first pull. */
  cursor: CursorBody | undefined;

  constructor(table: Pick<Table<RecordBody>, 'entries'>) {
    this.applyWrites([...table.entries()].map(([id, body]) => ({ id, body })));
  }

  applyWrites(written: WrittenRows<RecordBody>): void {
    for (const { id, body } of written) {
      const [kind, key] = kindAndIdOf(id);
      if (kind === 'map') this.#setMap(key, body?.kind === 'map' ? body.doc : undefined);
      else if (kind === 'run') this.#setRun(Number(key), body?.kind === 'run' ? body.doc : undefined);
      else if (kind === 'client') this.#setClient(key, body?.kind === 'client' ? body.doc : undefined);
      else this.cursor = body?.kind === 'cursor' ? body : undefined;
    }
  }

  /**
   * Tells whether the base has the map or stage that a mutation creates, with the same id and name. A map id that is a
   * UUID of version 8 suffices: only imports make such map ids, and an import derives the map id from the map's name.
   */
  hasRecordCreatedBy({ name, args }: Pick<MutationFields, 'name' | 'args'>): boolean {
    const map = this.maps.get(args['map_id'] as string);
    if (name === 'create_map') return map?.name === trimText(args['name']) || map?.id.at(14) === '8';
    if (name !== 'add_stage') return false;
    return map?.stages.some(({ id, stage }) => id === args['stage_id'] && stage === trimText(args['stage'])) ?? false;
  }

  #setMap(mapId: string, doc: CachedMap | undefined): void {
    if (doc) this.maps.set(mapId, { created_version: 0, ...doc });
    else this.maps.delete(mapId);
  }

  #setRun(runId: number, doc: RunDoc | undefined): void {
    const before = this.runs.get(runId);
    if (before) {
      this.runIdsOfMap.get(before.map_id)?.delete(runId);
      const { recording_session_id: session } = before;
      if (this.runIdOfSession.get(session) === runId) this.runIdOfSession.delete(session);
    }
    if (!doc) {
      this.runs.delete(runId);
      return;
    }
    this.runs.set(runId, doc);
    this.runIdOfSession.set(doc.recording_session_id, runId);
    const ofMap = this.runIdsOfMap.get(doc.map_id);
    if (ofMap) ofMap.add(runId);
    else this.runIdsOfMap.set(doc.map_id, new Set([runId]));
  }

  #setClient(clientId: string, doc: ClientProgress | undefined): void {
    if (doc) this.clients.set(clientId, doc);
    else this.clients.delete(clientId);
  }
}

const trimText = (text: unknown): string => String(text).trim();
