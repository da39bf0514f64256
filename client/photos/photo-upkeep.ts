/** Keeps the rows and files of photos in step with the recordings of the device and with the server. */
import { photoIdOf } from '../../shared/schema/photos/photo-id.ts';
import { isoTime, type TrustedClock } from '../core/clock.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { DeviceTables } from '../storage/device-tables.ts';
import type { View } from '../view/view.ts';
import { refersTo, sessionsOfPhotos } from './find-references.ts';
import { jpegSize } from './encode/jpeg-size.ts';
import { hexOfFile, thumbnailName, type PhotoFiles } from './photo-files.ts';
import type { KnownPhoto, PhotoRows } from './photo-rows.ts';

interface PhotoUpkeepOptions {
  rows: PhotoRows;
  files: PhotoFiles;
  outbox: Pick<Outbox, 'uploads' | 'entries' | 'device'>;
  view: Pick<View, 'runOfSession'>;
  drafts: DeviceTables['drafts'];
  /** Whether the recording is still a draft here, discarded ones included. */
  hasDraft(recordingSessionId: string): boolean;
  clock: TrustedClock;
}

const dayMs = 86_400_000;
/** A stored photo stays here for this long, so that a person who just took it can look at it offline. */
const storedMsMax = 7 * dayMs;
const unusedMsMax = dayMs;
/** A person is told for this long that a photo was lost. */
const lostMsMax = 30 * dayMs;

export class PhotoUpkeep {
  readonly #options: PhotoUpkeepOptions;

  constructor(options: PhotoUpkeepOptions) {
    this.#options = options;
  }

  /**
   * Makes those photos unsent to which a finished recording refers, and all of them after a restore of the server. Returns
   * whether there was one.
   */
  async findUnsent(): Promise<boolean> {
    const { rows, outbox, view } = this.#options;
    let isFound = await this.#followEpoch();
    for (const { hex, sessions } of rows.inState('taken')) {
      const isReferenced = sessions.some((session) => refersTo({ outbox, view }, session, photoIdOf(hex)));
      if (isReferenced) await rows.update(hex, 'taken', { state: 'unsent' });
      isFound ||= isReferenced;
    }
    return isFound;
  }

  /** Removes what is no longer needed here, and finds again what had lost its row or its file. */
  async sweep(): Promise<void> {
    const { rows, files, outbox, drafts, clock } = this.#options;
    // A recording that was moved since its photos were looked at must not lose them.
    await this.findUnsent();
    const sessions = sessionsOfPhotos(outbox, drafts.entries());
    for (const photo of rows.all()) {
      if (this.#isDone(photo, sessions)) await this.#remove(photo);
      else if (photo.state === 'unsent' || photo.state === 'lost') await this.#checkFile(photo);
    }
    for (const { name, changedMs } of await files.list()) {
      const hex = hexOfFile(name);
      const referring = sessions.get(photoIdOf(hex));
      if (rows.get(hex)) continue;
      if (referring && name === hex) await this.#addRow(hex, [...referring]);
      else if (!referring && changedMs < clock.wallMs() - unusedMsMax) await files.remove(name);
    }
    await this.findUnsent();
  }

  /** Removes the photos that the server has, since a recording needs the space. */
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
    return state === 'taken' && taken_at < before(unusedMsMax) && !isUsed;
  }

  async #checkFile({ hex, state, bytes, is_declared }: KnownPhoto): Promise<void> {
    const { rows, files } = this.#options;
    const isHere = (await files.size(hex)) === bytes;
    // The server may have got the last piece of a photo that it knows, so the sender asks before it is called lost.
    if (state === 'unsent' && !isHere) {
      await rows.update(hex, 'unsent', is_declared ? { is_declared: false } : { state: 'lost' });
    }
    if (state === 'lost' && isHere) await rows.update(hex, 'lost', { state: 'unsent', problem: null });
  }

  /** Restores the row of a photo after the database was lost, if its file and its recording are on the device. */
  async #addRow(hex: string, sessions: string[]): Promise<void> {
    const { rows, files, clock } = this.#options;
    const content = await files.read(hex);
    const size = content && jpegSize(new Uint8Array(await content.arrayBuffer()));
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

  /** Has no effect if the photo has become another state meanwhile, as when it is needed again. */
  async #remove({ hex, state }: KnownPhoto): Promise<void> {
    const { rows, files } = this.#options;
    if (!(await rows.remove(hex, state))) return;
    await files.remove(hex);
    await files.remove(thumbnailName(hex));
  }
}
