/**
 * Stores one row for each photo, under the hex digits of its id, one row for the settings, and one row for the hold:
 * why, and until when, the server accepts no photos.
 */
import { Observable } from 'rxjs';
import { photoBody } from '../generated/photo-row-schemas.ts';
import type { Clock } from '../core/clock.ts';
import type { DeviceTables } from '../storage/device-tables.ts';
import type { PhotoBody, PhotoEntry, PhotoHold, PhotoSettings } from './row-shapes.ts';
import { WriteConflict, type Table } from '../storage/table.ts';

/** If the shape of the rows changes, the collection gets a new name, and the rows are copied to it. */
export const photosCollection = 'photos_v1';

const settingsRowId = 'settings';
const holdRowId = 'hold';
const defaultSettings: PhotoSettings = { kind: 'settings', policy: 'wifi', epoch: null };

export interface KnownPhoto extends PhotoEntry {
  hex: string;
}

export class PhotoRows {
  readonly #table: Table<PhotoBody>;

  private constructor(table: Table<PhotoBody>) {
    this.#table = table;
  }

  static async open({ openTable }: Pick<DeviceTables, 'openTable'>, schedule: Clock['schedule']): Promise<PhotoRows> {
    const collection = { name: photosCollection, version: 0, bodySchema: photoBody };
    const table = await openTable<PhotoBody>(collection, { schedule });
    await table.refreshAll();
    return new PhotoRows(table);
  }

  /** Emits at once, and after each write in any tab. */
  get changed$(): Observable<void> {
    return new Observable<void>((subscriber) => {
      subscriber.next();
      return this.#table.onWrite('observer', () => subscriber.next());
    });
  }

  get(hex: string): PhotoEntry | undefined {
    const row = this.#table.get(hex);
    return row?.kind === 'photo' ? row : undefined;
  }

  /** Lists the photos in the order of their taking. */
  all(): KnownPhoto[] {
    return [...this.#table.entries()]
      .flatMap(([hex, row]) => (row.kind === 'photo' ? [{ ...row, hex }] : []))
      .toSorted((a, b) => (a.taken_at < b.taken_at ? -1 : 1));
  }

  inState(state: PhotoEntry['state']): KnownPhoto[] {
    return this.all().filter((photo) => photo.state === state);
  }

  get settings(): PhotoSettings {
    const row = this.#table.get(settingsRowId);
    return row?.kind === 'settings' ? row : defaultSettings;
  }

  get hold(): PhotoHold | undefined {
    const row = this.#table.get(holdRowId);
    return row?.kind === 'hold' ? row : undefined;
  }

  /**
   * Writes the row that `change` returns. If another tab writes the row first, `change` is called again with that row.
   */
  async put(hex: string, change: (known: PhotoEntry | undefined) => PhotoEntry): Promise<void> {
    await this.#retried(() => this.#table.write([{ id: hex, body: change(this.get(hex)) }]));
  }

  /** Changes fields of a photo. Does nothing if the photo is gone or no longer in the state `from`. */
  async update(hex: string, from: PhotoEntry['state'] | undefined, fields: Partial<PhotoEntry>): Promise<void> {
    await this.#retried(async () => {
      const known = this.get(hex);
      if (known && (from === undefined || known.state === from))
        await this.#table.write([{ id: hex, body: { ...known, ...fields } }]);
    });
  }

  /** Removes a photo. Does nothing and returns false if the photo is not in the state `from`. */
  async remove(hex: string, from: PhotoEntry['state']): Promise<boolean> {
    let isRemoved = false;
    await this.#retried(async () => {
      isRemoved = this.get(hex)?.state === from;
      if (isRemoved) await this.#table.write([], [hex]);
    });
    return isRemoved;
  }

  async changeSettings(fields: Partial<PhotoSettings>): Promise<void> {
    await this.#retried(() => this.#table.write([{ id: settingsRowId, body: { ...this.settings, ...fields } }]));
  }

  async setHold(hold: Omit<PhotoHold, 'kind'> | undefined): Promise<void> {
    await this.#retried(() =>
      hold
        ? this.#table.write([{ id: holdRowId, body: { kind: 'hold', ...hold } }])
        : this.#table.write([], [holdRowId]),
    );
  }

  async #retried(write: () => Promise<void>): Promise<void> {
    for (let conflicts = 0; conflicts < writeConflictsMax; conflicts++) {
      try {
        return await write();
      } catch (error) {
        // After a conflict, the memory already has the other tab's rows, so try again.
        if (!(error instanceof WriteConflict)) throw error;
      }
    }
    throw new Error('other tabs keep writing photos');
  }
}

const writeConflictsMax = 100;
