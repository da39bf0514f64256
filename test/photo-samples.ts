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
