import { createHash } from 'node:crypto';

/** A picture of 3 × 2 pixels by the canvas of Chromium, and what makes it one that is refused. */
export const sampleJpeg = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAACAAMDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAZEAEAAgMAAAAAAAAAAAAAAAAAAgQ0gbH/xAAVAQEBAAAAAAAAAAAAAAAAAAABAv/EABgRAAIDAAAAAAAAAAAAAAAAAAABAzEy/9oADAMBAAIRAxEAPwCBey564AFRcmmf/9k=',
  'base64',
);
export const samplePixels = { width: 3, height: 2 };

/** Returns the picture with a segment of the given marker and text in front. */
export function withJpegSegment(code: number, text: string): Buffer {
  const data = Buffer.from(text);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(data.length + 2);
  return Buffer.concat([sampleJpeg.subarray(0, 2), Buffer.from([0xff, code]), length, data, sampleJpeg.subarray(2)]);
}

/** Returns the picture with `extra` more bytes of picture data, made of a seed: a photo of its own that may be large. */
export function largeJpeg(extra: number, seed: string): Buffer {
  const filler = Buffer.alloc(extra);
  for (let at = 0, block = 0; at < extra; block++) {
    const bytes = createHash('sha256').update(`${seed} ${block}`).digest();
    // 0xff begins a marker.
    for (const byte of bytes) if (at < extra) filler[at++] = byte === 0xff ? 0 : byte;
  }
  return Buffer.concat([sampleJpeg.subarray(0, -2), filler, sampleJpeg.subarray(-2)]);
}
