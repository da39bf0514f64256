/** Brings the rows and files of photos in line with the recordings on the device and with the server. */
import { photoIdOf } from '../../shared/schema/photos/photo-id.ts';
import { isoTime, type TrustedClock } from '../core/clock.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { DeviceTables } from '../storage/device-tables.ts';
import type { View } from '../view/view.ts';
import { recordingRefersTo, sessionsByPhoto } from './find-references.ts';
import { readJpegSize } from './encode/jpeg-size.ts';
import { hexOfFile, thumbnailNameOf, type PhotoFiles } from './photo-files.ts';
import type { KnownPhoto, PhotoRows } from './photo-rows.ts';

interface PhotoUpkeepOptions {
  rows: PhotoRows;
  files: PhotoFiles;
  outbox: Pick<Outbox, 'uploads' | 'entries' | 'device'>;
  view: Pick<View, 'runOfSession'>;
  drafts: DeviceTables['drafts'];
  /** Tells whether the recording is still a draft here, even a discarded one. */
  hasDraft(recordingSessionId: string): boolean;
  clock: TrustedClock;
}

const dayMs = 86_400_000;
/** How long a photo stays here after the server has it, so that the person who took it can see it offline. */
const storedMsMax = 7 * dayMs;
const unreferencedMsMax = dayMs;
/** How long a person is told that a photo was lost. */
const lostMsMax = 30 * dayMs;

export class PhotoUpkeep {
  readonly #options: PhotoUpkeepOptions;

  constructor(options: PhotoUpkeepOptions) {
    this.#options = options;
  }

  /**
   * Marks photos as unsent once a finished recording refers to them, and all stored photos after a restore of the
   * server. Returns whether it marked any.
   */
  async findUnsent(): Promise<boolean> {
    const { rows, outbox, view } = this.#options;
    let isFound = await this.#followEpoch();
    for (const { hex, sessions } of rows.inState('taken')) {
      const isReferenced = sessions.some((session) => recordingRefersTo({ outbox, view }, session, photoIdOf(hex)));
      if (isReferenced) await rows.update(hex, 'taken', { state: 'unsent' });
      isFound ||= isReferenced;
    }
    return isFound;
  }

  /**
   * Removes rows and files that are no longer needed. Adds the missing row of a file, and marks a lost photo as unsent
   * if its file is back.
   */
  async sweep(): Promise<void> {
    const { rows, files, outbox, drafts, clock } = this.#options;
    // Find unsent photos first, so that a recording that was just moved into the outbox keeps its photos.
    await this.findUnsent();
    const sessions = sessionsByPhoto(outbox, drafts.entries());
    for (const photo of rows.all()) {
      if (this.#isDone(photo, sessions)) await this.#remove(photo);
      else if (photo.state === 'unsent' || photo.state === 'lost') await this.#checkFile(photo);
    }
    for (const { name, changedMs } of await files.list()) {
      const hex = hexOfFile(name);
      const referring = sessions.get(photoIdOf(hex));
      if (rows.get(hex)) continue;
      if (referring && name === hex) await this.#addRow(hex, [...referring]);
      else if (!referring && changedMs < clock.wallMs() - unreferencedMsMax) await files.remove(name);
    }
    await this.findUnsent();
  }

  /** Removes all photos that the server has, to make space for a recording. */
  async removeStored(): Promise<void> {
    for (const photo of this.#options.rows.inState('stored')) await this.#remove(photo);
  }

  async #followEpoch(): Promise<boolean> {
    const { rows, outbox } = this.#options;
    const { epoch } = outbox.device;
    const before = rows.settings.epoch;
    if (epoch === null || epoch === before) return false;
    const asNew = { state: 'unsent', is_declared: false, stored_at: null } as const;
    const stored = before === null ? [] : rows.inState('stored');
    for (const { hex } of stored) await rows.update(hex, 'stored', asNew);
    await rows.changeSettings({ epoch });
    return stored.length > 0;
  }

  #isDone({ hex, state, stored_at, taken_at, sessions }: KnownPhoto, referring: ReadonlyMap<string, unknown>): boolean {
    const { clock, hasDraft } = this.#options;
    const before = (ms: number) => isoTime(clock.wallMs() - ms);
    if (state === 'stored') return stored_at !== null && stored_at < before(storedMsMax);
    if (state === 'lost') return taken_at < before(lostMsMax);
    const isUsed = referring.has(photoIdOf(hex)) || sessions.some(hasDraft);
    return state === 'taken' && taken_at < before(unreferencedMsMax) && !isUsed;
  }

  async #checkFile({ hex, state, bytes, is_declared }: KnownPhoto): Promise<void> {
    const { rows, files } = this.#options;
    const isHere = (await files.size(hex)) === bytes;
    // The server may have all bytes of a declared photo, so let the sender declare it again before it counts as lost.
    if (state === 'unsent' && !isHere) {
      await rows.update(hex, 'unsent', is_declared ? { is_declared: false } : { state: 'lost' });
    }
    if (state === 'lost' && isHere) await rows.update(hex, 'lost', { state: 'unsent', problem: null });
  }

  /** Restores the row of a photo after the database was lost. Its file and its recording are still on the device. */
  async #addRow(hex: string, sessions: string[]): Promise<void> {
    const { rows, files, clock } = this.#options;
    const content = await files.read(hex);
    const size = content && readJpegSize(new Uint8Array(await content.arrayBuffer()));
    if (!size) return;
    await rows.put(hex, () => ({
      kind: 'photo',
      sessions,
      content_type: 'image/jpeg',
      bytes: content.size,
      ...size,
      taken_at: isoTime(clock.wallMs()),
      state: 'taken',
      is_declared: false,
      sends_anyway: false,
      stored_at: null,
      problem: null,
    }));
  }

  /** Removes a photo and its files. Does nothing if the state of the photo has changed: it may be needed again. */
  async #remove({ hex, state }: KnownPhoto): Promise<void> {
    const { rows, files } = this.#options;
    if (!(await rows.remove(hex, state))) return;
    await files.remove(hex);
    await files.remove(thumbnailNameOf(hex));
  }
}
