/** Deliberate faults in how a device takes and sends photos. */
import type { Fault } from './fault.ts';

const taken = ['test/scenario/photos/photos-taken.test.ts'];
const sent = ['test/scenario/photos/photos-sent.test.ts'];

export const devicePhotoFaults: readonly Fault[] = [
  {
    name: 'put a photo on the step that is current when it is ready',
    harm: 'The photo of a fault stands on the step after it, whenever the worker is faster than the encoder.',
    file: 'client/recording/taps/take-photo.ts',
    find: 'if (isStepOfPhoto(steps[index])) return index;',
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
    file: 'client/photos/send-photo.ts',
    find: 'const { isStored, offset, chunkBytesMax } = declared;',
    replace: 'const { isStored, chunkBytesMax } = declared;\nconst offset = declared === from ? 0 : declared.offset;',
    tests: sent,
    only: 'PHOTO-54',
  },
];
