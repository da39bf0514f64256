import { expect, test } from 'vitest';
import { randomBelow, randomWithPrintedSeed } from '../../test/random.ts';
import { sampleJpeg } from '../../test/photo-samples.ts';
import type { PhotoType } from '../../shared/schema/photos/photo-types.ts';
import { partsMax } from './formats/format.ts';
import { photoFlawOf, pixelsMax } from './inspect-photo.ts';
import { photoSidePixelsMax } from '../../shared/schema/photos/photo.ts';

/** Pictures of 3 × 2 pixels by the canvas of Chromium. Their colour profiles of 472 bytes are left out. */
const jpeg = sampleJpeg;
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAAFUlEQVR4AWI6Y2z8H4QZgIAJiOEIAAAA//8bVOYDAAAABklEQVQDAF4KBGcnnafWAAAAAElFTkSuQmCC',
  'base64',
);
const lossless = Buffer.from('LwJAABAPMDPDPDPzH/BQCCAACpqI/scD', 'base64');
const lossy = Buffer.from('cAEAnQEqAwACAAQAaCWQAnQBQAAA/uQAJTeoEZl/e00k3CuA', 'base64');

const uint = (value: number, bytes: number): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
};
const littleEndian = (value: number): Buffer => {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32LE(value);
  return buffer;
};

const riffChunk = (type: string, data: Buffer) =>
  Buffer.concat([Buffer.from(type), littleEndian(data.length), data, Buffer.alloc(data.length % 2)]);
const riff = (...chunks: Buffer[]) => riffChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]));
const extended = riffChunk('VP8X', Buffer.from([0, 0, 0, 0, 2, 0, 0, 1, 0, 0]));
const webp = riff(riffChunk('VP8L', lossless));

const box = (type: string, ...content: Buffer[]) => {
  const data = Buffer.concat(content);
  return Buffer.concat([uint(data.length + 8, 4), Buffer.from(type), data]);
};
const flags = uint(0, 4);
const itemOf = (type: string, index: number, version = 2) =>
  box('infe', uint(version * 0x1_00_00_00, 4), uint(index + 1, 2), uint(0, 2), Buffer.from(`${type}\0`));
const ispe = (width: number, height: number) => box('ispe', flags, uint(width, 4), uint(height, 4));
const hidden = Buffer.from('N 52.5 E 13.4');

interface AvifParts {
  items?: Buffer[];
  /** The size is that of the primary item, beside a tile's. */
  width?: number;
  height?: number;
  inMeta?: Buffer[];
  behind?: Buffer[];
}

/** The first item has the second property. */
const avifOf = ({ items = [itemOf('av01', 0)], width = 3, height = 2, inMeta = [], behind = [] }: AvifParts = {}) =>
  Buffer.concat([
    box('ftyp', Buffer.from('avif'), flags, Buffer.from('avifmif1')),
    box(
      'meta',
      flags,
      box('pitm', flags, uint(1, 2)),
      box('iinf', flags, uint(items.length, 2), ...items),
      box(
        'iprp',
        box('ipco', ispe(1, 1), ispe(width, height)),
        box('ipma', flags, uint(1, 4), uint(1, 2), uint(1, 1), uint(2, 1)),
      ),
      ...inMeta,
    ),
    box('mdat', Buffer.from('data')),
    ...behind,
  ]);
const avif = avifOf();

const photos: [PhotoType, Buffer][] = [
  ['image/jpeg', jpeg],
  ['image/png', png],
  ['image/webp', webp],
  ['image/webp', riff(riffChunk('VP8 ', lossy))],
  ['image/webp', riff(extended, riffChunk('VP8L', lossless))],
  ['image/avif', avif],
];
const size = { width: 3, height: 2 };

const insert = (photo: Buffer, at: number, bytes: Buffer) =>
  Buffer.concat([photo.subarray(0, at), bytes, photo.subarray(at)]);
const segment = (code: number, text: string) =>
  Buffer.concat([Buffer.from([0xff, code]), uint(text.length + 2, 2), Buffer.from(text, 'latin1')]);
const pngChunk = (type: string) => Buffer.concat([uint(2, 4), Buffer.from(`${type}ab`), uint(0, 4)]);

test('[PHOTO-4] whole photos of each type are taken as what they are, and as nothing else', () => {
  for (const [type, photo] of photos) {
    expect(photoFlawOf(photo, { content_type: type, ...size }), type).toBeUndefined();
    expect(photoFlawOf(photo, { content_type: type, width: 2, height: 3 }), type).toBe('photo_corrupt');
    const others = photos.map(([other]) => other).filter((other) => other !== type);
    for (const other of others)
      expect(photoFlawOf(photo, { content_type: other, ...size }), other).toBe('photo_corrupt');
  }
});

test('[PHOTO-4] a photo that was cut anywhere, or has other bytes behind it, is refused', () => {
  for (const [content_type, photo] of photos) {
    const flaw = (bytes: Buffer) => photoFlawOf(bytes, { content_type, ...size });
    for (let length = 0; length < photo.length; length++) {
      expect(flaw(photo.subarray(0, length)), `${content_type} of ${length}`).toBe('photo_corrupt');
    }
    expect(flaw(Buffer.concat([photo, Buffer.from('<script>')])), content_type).toBe('photo_corrupt');
  }
});

test('[PHOTO-5] a photo with anything that is not needed to show it is refused, wherever that stands', () => {
  const endOfJpeg = jpeg.length - 2;
  const inJpeg = (...parts: Buffer[]) => insert(jpeg, 2, Buffer.concat(parts));
  const jpegs = [
    inJpeg(segment(0xe1, 'Exif\0\0MM\0*')),
    inJpeg(segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0<x/>')),
    inJpeg(segment(0xed, 'Photoshop 3.0\0')),
    insert(jpeg, endOfJpeg, segment(0xe1, 'Exif\0\0')),
    inJpeg(Buffer.from([0xff]), segment(0xfe, 'N 52 E 13')),
    ...[0xe3, 0xeb, 0xec, 0xef].map((code) => inJpeg(segment(code, 'Meta\0\0'))),
    ...[0xe0, 0xe2].map((code) => inJpeg(segment(code, 'Exif\0\0'))),
    inJpeg(segment(0xe0, `JFIF\0${'N 52.5 E 13.4'.padEnd(40)}`)),
    inJpeg(segment(0xee, `Adobe${'N 52.5 E 13.4'.padEnd(40)}`)),
  ];
  const types = ['eXIf', 'iTXt', 'tEXt', 'zTXt', 'caBX', 'tIME', 'zzZz'];
  const pngs = types.map((type) => insert(png, png.length - 12, pngChunk(type)));
  const picture = riffChunk('VP8L', lossless);
  const flagged = riffChunk('VP8X', Buffer.from([0b1000, 0, 0, 0, 2, 0, 0, 1, 0, 0]));
  const webps = [
    ...['EXIF', 'XMP ', 'exif', 'XMP\0', 'ANIM'].map((type) => riff(extended, picture, riffChunk(type, hidden))),
    riff(flagged, picture),
  ];
  const avifs = [
    ...['Exif', 'mime', 'uri '].map((type) => avifOf({ items: [itemOf('av01', 0), itemOf(type, 1)] })),
    ...['uuid', 'moov', 'free', 'skip'].map((type) => avifOf({ behind: [box(type, hidden)] })),
    avifOf({ inMeta: [box('udta', hidden)] }),
  ];
  const all = { 'image/jpeg': jpegs, 'image/png': pngs, 'image/webp': webps, 'image/avif': avifs };
  for (const [type, files] of Object.entries(all)) {
    for (const [index, file] of files.entries()) {
      const content_type = type as PhotoType;
      expect(photoFlawOf(file, { content_type, ...size }), `${type} ${index}`).toBe('photo_has_metadata');
    }
  }
});

test('[PHOTO-4] a photo whose parts contradict each other or the format is refused', () => {
  const iend = png.subarray(png.length - 12);
  const withIend = Buffer.concat([png.subarray(0, png.length - 12), uint(2, 4), Buffer.from('IENDab'), uint(0, 4)]);
  const picture = riffChunk('VP8L', lossless);
  const larger = riffChunk('VP8X', Buffer.from([0, 0, 0, 0, 2, 0, 0, 9, 0, 0]));
  const all = {
    'image/jpeg': [0x02, 0xf0, 0xd8, 0xd0].map((code) => insert(jpeg, 2, segment(code, 'N 52 E 13'))),
    'image/png': [
      withIend,
      Buffer.concat([png, iend]),
      insert(png, 8, Buffer.concat([uint(0, 4), Buffer.from('IHDR'), uint(0, 4)])),
    ],
    'image/webp': [
      riff(extended, picture, picture),
      riff(larger, picture),
      riff(picture, extended),
      riff(extended),
      riff(extended, riffChunk('VP8L', lossless.subarray(0, 4))),
      Buffer.concat([riff(picture, riffChunk('ALPH', Buffer.from('a'))).subarray(0, -1), Buffer.from('b')]),
    ],
    'image/avif': [
      avifOf({ behind: [box('meta', flags, box('iinf', flags, uint(0, 2)))] }),
      avifOf({ behind: [box('mdat', hidden)] }),
      avifOf({ items: [] }),
      avifOf({ items: [itemOf('av01', 0, 1)] }),
      avifOf({ inMeta: [box('iinf', flags, uint(1, 2), itemOf('Exif', 0))] }),
    ],
  };
  for (const [type, files] of Object.entries(all)) {
    for (const [index, file] of files.entries()) {
      expect(photoFlawOf(file, { content_type: type as PhotoType, ...size }), `${type} ${index}`).toBe('photo_corrupt');
    }
  }
});

test('[PHOTO-73] a photo with more parts than any encoder writes is refused before they fill the memory', () => {
  const many = (part: Buffer, count: number) => Buffer.concat(Array.from({ length: count }, () => part));
  const emptyPngChunk = (type: string) => Buffer.concat([uint(0, 4), Buffer.from(type), uint(0, 4)]);
  const withParts: [PhotoType, (count: number) => Buffer][] = [
    ['image/jpeg', (count) => insert(jpeg, 2, many(segment(0xdb, ''), count))],
    ['image/png', (count) => insert(png, png.length - 12, many(emptyPngChunk('IDAT'), count))],
    [
      'image/webp',
      (count) => riff(extended, riffChunk('VP8L', lossless), many(riffChunk('ALPH', Buffer.alloc(0)), count)),
    ],
  ];
  for (const [content_type, photo] of withParts) {
    expect(photoFlawOf(photo(partsMax - 20), { content_type, ...size }), content_type).toBeUndefined();
    expect(photoFlawOf(photo(partsMax), { content_type, ...size }), content_type).toBe('photo_corrupt');
  }
  const properties = box('iprp', box('ipco', ispe(3, 2)));
  expect(photoFlawOf(avifOf({ inMeta: [properties] }), { content_type: 'image/avif', ...size })).toBe('photo_corrupt');
  const ftyp = box('ftyp', Buffer.from('mif1'), flags, many(Buffer.from('mif1'), 64), Buffer.from('avif'));
  const lateBrand = Buffer.concat([
    ftyp,
    avif.subarray(box('ftyp', Buffer.from('avif'), flags, Buffer.from('avifmif1')).length),
  ]);
  expect(photoFlawOf(lateBrand, { content_type: 'image/avif', ...size })).toBe('photo_corrupt');
});

test('[PHOTO-6] a photo of more than 12,000 pixels a side, or of 50 million, is refused before anything decodes it', () => {
  const flaw = (width: number, height: number) =>
    photoFlawOf(avifOf({ width, height }), { content_type: 'image/avif', width, height });
  expect(flaw(photoSidePixelsMax, 4_000)).toBeUndefined();
  expect(flaw(photoSidePixelsMax + 1, 1)).toBe('photo_corrupt');
  expect(flaw(10_000, pixelsMax / 10_000)).toBeUndefined();
  expect(flaw(10_000, pixelsMax / 10_000 + 1)).toBe('photo_corrupt');
  expect(flaw(0, 0)).toBe('photo_corrupt');
});

test('[PHOTO-4] bytes that were changed at random are judged, and never throw', () => {
  const random = randomWithPrintedSeed();
  for (const [content_type, photo] of photos) {
    for (let round = 0; round < 2_000; round++) {
      const changed = Buffer.from(photo);
      const changes = 1 + randomBelow(random, 4);
      for (let change = 0; change < changes; change++) {
        changed[randomBelow(random, changed.length)] = randomBelow(random, 256);
      }
      const flaw = photoFlawOf(changed, { content_type, ...size });
      expect([undefined, 'photo_corrupt', 'photo_has_metadata']).toContain(flaw);
    }
  }
});
