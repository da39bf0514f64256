/**
 * Draws an SVG as a PNG of twice the size. If browsers cannot draw so large a PNG, makes the PNG as large as they can.
 */

/** At twice the size, fine lines stay sharp in a printed report. */
const scaleMax = 2;
/** The limits of Safari on a phone: the pixels of a canvas, and the length of its longer side. */
const pixelsMax = 16_777_216;
const sidePixelsMax = 16_384;

export async function pngOfSvg(svg: Blob): Promise<Blob> {
  const url = URL.createObjectURL(svg);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    const scale = Math.min(scaleMax, Math.sqrt(pixelsMax / (width * height)), sidePixelsMax / Math.max(width, height));
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [Math.floor(width * scale), Math.floor(height * scale)];
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the canvas made no picture'))), 'image/png');
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}
