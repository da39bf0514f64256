/** Deliberate faults in how a device takes and sends photos. */
import type { Fault } from './fault.ts';

const taken = ['test/scenario/photos/photos-taken.test.ts'];
const sent = ['test/scenario/photos/photos-sent.test.ts'];
const held = ['test/scenario/photos/photos-held.test.ts'];

export const devicePhotoFaults: readonly Fault[] = [
  {
    name: 'put a photo on the step that is current when it is ready',
    harm: 'The photo of a fault stands on the step after it, whenever the worker is faster than the encoder.',
    file: 'client/recording/taps/take-photo.ts',
    find: 'if (isIt(steps[index])) return index;',
    replace: 'return steps.length - 1;',
    tests: taken,
    only: 'PHOTO-43',
  },
  {
    name: 'move a recording without its photos under way',
    harm: 'A photo that was taken just before the finish is refused, and the run never refers to it.',
    file: 'client/recording/draft-mover.ts',
    find: 'await this.#options.photoTaps.untilStored(finished);',
    replace: 'void finished;',
    tests: taken,
    only: 'PHOTO-43',
  },
  {
    name: 'begin a photo anew after a break',
    harm: 'On a line that breaks, a large photo never arrives.',
    file: 'client/photos/upload-photo.ts',
    find: 'const { isStored, offset, chunkBytesMax } = declared;',
    replace: 'const { isStored, chunkBytesMax } = declared;\nconst offset = declared === from ? 0 : declared.offset;',
    tests: sent,
    only: 'PHOTO-54',
  },
  {
    name: 'send photos over a metered network',
    harm: 'The photos of a day use up the data of a worker without a word.',
    file: 'client/photos/photo-policy.ts',
    find: "connection?.saveData === true || connection?.type === 'cellular';",
    replace: 'connection?.saveData === true;',
    tests: held,
    only: 'PHOTO-51',
  },
  {
    name: 'remove the photos of a recording that was not sent',
    harm: 'Photos are gone a day after they were taken if the phone had no network that long.',
    file: 'client/photos/photo-upkeep.ts',
    find: "return state === 'taken' && taken_at",
    replace: 'return taken_at',
    tests: sent,
    only: 'PHOTO-53',
  },
  {
    name: 'take all bytes for a stored photo',
    harm: 'A server that died before it verified a photo ends its upload after 14 days, and the phone has removed the photo.',
    file: 'client/photos/upload-photo.ts',
    find: "if (offset >= photo.bytes) throw new Error('the server has not verified the photo yet');",
    replace: 'if (offset >= photo.bytes) return;',
    tests: ['test/scenario/photos/photos-recovered.test.ts'],
    only: 'PHOTO-55',
  },
  {
    name: 'keep photos from a restored server',
    harm: 'A server that was restored lacks the photos since its backup, though their phones still have them.',
    file: 'client/photos/photo-upkeep.ts',
    find: "for (const { hex } of before === null ? [] : rows.inState('stored')) await rows.update(hex, 'stored', asNew);",
    replace: 'void asNew;',
    tests: ['test/scenario/photos/photos-recovered.test.ts'],
    only: 'PHOTO-56',
  },
];
