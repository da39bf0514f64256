import { expect, test } from 'vitest';
import { photoFlawOf } from '../../../server/photos/inspect-photo.ts';
import { sampleJpeg, samplePixels, withJpegSegment } from '../../photo-samples.ts';
import { withoutMetadata } from '../../../client/photos/encode/jpeg-metadata.ts';
import { readJpegSize } from '../../../client/photos/encode/jpeg-size.ts';

const stripped = (jpeg: Buffer) => Buffer.concat(withoutMetadata(new Uint8Array(jpeg)));

test('[PHOTO-46] what an encoder writes besides the picture is removed, and nothing else', () => {
  expect(stripped(sampleJpeg)).toEqual(sampleJpeg);
  for (const code of [0xe0, 0xe1, 0xe2, 0xe3, 0xed, 0xee, 0xef, 0xfe]) {
    const marked = withJpegSegment(code, 'Exif\0\0MM\0*');
    expect(photoFlawOf(marked, { content_type: 'image/jpeg', ...samplePixels })).toBe('photo_has_metadata');
    expect(stripped(marked)).toEqual(sampleJpeg);
  }
  const coloured = withJpegSegment(0xe2, 'ICC_PROFILE\0colours');
  expect(photoFlawOf(coloured, { content_type: 'image/jpeg', ...samplePixels })).toBeUndefined();
  expect(stripped(coloured)).toEqual(coloured);
});

test('[PHOTO-58] the size of a photo is read from its frame', () => {
  expect(readJpegSize(new Uint8Array(sampleJpeg))).toEqual(samplePixels);
  expect(readJpegSize(new Uint8Array(withJpegSegment(0xe2, 'colours')))).toEqual(samplePixels);
  for (let length = 0; length < 150; length++)
    expect(readJpegSize(new Uint8Array(sampleJpeg.subarray(0, length)))).toBeUndefined();
});
