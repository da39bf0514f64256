/** Deliberate faults on the way of a photo. */
import type { Fault } from './fault.ts';

const contract = ['test/contract/sqlite.test.ts'];

export const photoFaults: readonly Fault[] = [
  {
    name: 'store a photo with a place',
    harm: 'Everyone who may read the photo learns where it was taken, and by which camera.',
    file: 'server/photos/inspect-photo.ts',
    find: "return inspected.hasMetadata ? 'photo_has_metadata' : undefined;",
    replace: 'return undefined;',
    tests: contract,
    only: 'PHOTO-22',
  },
  {
    name: 'store bytes of another id',
    harm: 'A reference shows another picture than the one that was taken.',
    file: 'server/photos/photo-uploads.ts',
    find: "const flaw = bytes && sha256(bytes) === id ? flawOf(bytes, photo) : 'photo_corrupt';",
    replace: "const flaw = bytes ? flawOf(bytes, photo) : 'photo_corrupt';",
    tests: contract,
    only: 'PHOTO-22',
  },
  {
    name: 'drop what arrived of a broken request',
    harm: 'On a line that breaks each minute, a photo never arrives.',
    file: 'server/http/body/receive-body.ts',
    find: 'settle(takesBrokenBody ? { ok: true, bytes: collected.bytes } : incompleteRefusal)',
    replace: 'settle(incompleteRefusal)',
    tests: contract,
    only: 'PHOTO-21',
  },
  {
    name: 'write behind bytes that are missing',
    harm: 'After a restore an upload is complete with a hole in it, and each photo of that time is sent twice.',
    file: 'server/photos/folder-storage.ts',
    find: 'if ((await file.stat()).size < offset) return false;',
    replace: '',
    tests: ['test/contract/photos/folder-storage.test.ts'],
    only: 'PHOTO-2',
  },
  {
    name: 'take a photo without bytes for stored',
    harm: 'A photo that a restore lost never comes back, although its device still has it.',
    file: 'server/photos/photo-uploads.ts',
    find: 'await store.awaitPhoto(accountId, id, this.#now);',
    replace: '',
    tests: ['server/photos/photo-uploads.test.ts'],
    only: 'PHOTO-32',
  },
  {
    name: 'collect a photo that a run refers to',
    harm: 'A photo that was recorded late is gone from the server, and its phone has removed it, too.',
    file: 'server/store/photos/sqlite-photo-references.ts',
    find: 'unreferenced_since <= ?3 AND NOT ${isReferenced}',
    replace: 'unreferenced_since <= ?3',
    tests: ['test/contract/store/sqlite.test.ts'],
    only: 'PHOTO-39',
  },
  {
    name: 'leave the references of a deleted run',
    harm: 'Photos of deleted runs are stored for ever, and count in the quota.',
    file: 'server/store/photos/sqlite-photo-references.ts',
    find: "if (!run.doc) execute('DELETE FROM photo_references WHERE account_id = ? AND run_id = ?', run.id);",
    replace: '',
    tests: ['test/contract/store/sqlite.test.ts'],
    only: 'PHOTO-35',
  },
  {
    name: 'give an upload back before its verification',
    harm: 'Another request takes the last piece of a photo for acknowledged while nobody has looked at it.',
    file: 'server/photos/photo-uploads.ts',
    find: 'now: this.#now, keepsClaim }))',
    replace: 'now: this.#now, keepsClaim: false }))',
    tests: ['server/photos/photo-uploads.test.ts'],
  },
];
