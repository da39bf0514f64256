/**
 * Reads QR codes from the camera by the browser's `BarcodeDetector`. If the browser has no `BarcodeDetector` that reads
 * QR codes, a library reads them.
 */
import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** `broken`: the camera does not start, or the library that reads codes does not load. */
export type CameraFailure = 'denied' | 'missing' | 'broken';
export type CameraState = 'opening' | 'open' | CameraFailure;

interface CodeCameraOptions {
  video: RefObject<HTMLVideoElement | null>;
  /** Called with the text of each QR code that the camera sees. The next call waits for the returned promise. */
  onText(text: string): Promise<unknown>;
}

/** Opens the camera when the component mounts, and closes it when the component unmounts. */
export function useCodeCamera({ video, onText }: CodeCameraOptions): CameraState {
  const [state, setState] = useState<CameraState>('opening');
  useEffect(() => {
    const closed = new AbortController();
    void readCodes({ video, onText, onOpen: () => setState('open'), signal: closed.signal }).catch((error: unknown) => {
      if (!closed.signal.aborted) setState(cameraFailureOf(error));
    });
    return () => closed.abort();
  }, []);
  return state;
}

/**
 * Asks for permission to use the camera. Resolves to undefined if the camera opens, else to the failure. The permission
 * also lets WebRTC tell the other phone the addresses of this phone in all networks (RFC 8828, 5.2), so that the two
 * phones can connect.
 */
export async function askForCamera(): Promise<CameraFailure | undefined> {
  try {
    stopCamera(await openCamera());
    return undefined;
  } catch (error) {
    return cameraFailureOf(error);
  }
}

class NoCameraError extends Error {}

function cameraFailureOf(error: unknown): CameraFailure {
  const isFromCamera = error instanceof DOMException;
  if (isFromCamera && error.name === 'NotAllowedError') return 'denied';
  return error instanceof NoCameraError || (isFromCamera && error.name === 'NotFoundError') ? 'missing' : 'broken';
}

interface ReadCodesOptions extends CodeCameraOptions {
  onOpen(): void;
  signal: AbortSignal;
}

/** A code on a small screen needs more pixels across than the 640 that a camera gives by default. */
const videoConstraints = { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } };

async function openCamera(): Promise<MediaStream> {
  // Browsers have no `mediaDevices` for a page that came without HTTPS.
  if (!navigator.mediaDevices) throw new NoCameraError();
  return navigator.mediaDevices.getUserMedia({ video: videoConstraints, audio: false });
}

function stopCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

async function readCodes({ video, onText, onOpen, signal }: ReadCodesOptions): Promise<void> {
  const loading = loadDecoder();
  // Handles a rejection at once, since `readCodes` awaits this promise only after the camera has opened. Otherwise the
  // browser would report a failed load as an unhandled rejection.
  loading.catch(() => undefined);
  const stream = await openCamera();
  const close = () => stopCamera(stream);
  signal.addEventListener('abort', close);
  try {
    const decode = await loading;
    const element = video.current;
    if (signal.aborted || !element) return;
    element.srcObject = stream;
    await element.play();
    onOpen();
    while (!signal.aborted) {
      const text = await decode(element);
      if (text !== undefined && text !== '') await onText(text);
      await nextFrame(element);
    }
  } finally {
    close();
  }
}

const frameWaitMsMax = 250;

/** Resolves when the video has a new picture, or after `frameWaitMsMax`: a page in the background gets no pictures. */
const nextFrame = (video: HTMLVideoElement): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, frameWaitMsMax);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    if ('requestVideoFrameCallback' in video) video.requestVideoFrameCallback(end);
    else requestAnimationFrame(end);
  });

type DecodeFrame = (video: HTMLVideoElement) => Promise<string | undefined>;

interface CodeDetector {
  detect(image: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}

type CodeDetectorClass = (new (options: { formats: string[] }) => CodeDetector) & {
  getSupportedFormats(): Promise<string[]>;
};

async function loadDecoder(): Promise<DecodeFrame> {
  const { BarcodeDetector: BrowserDetector } = globalThis as { BarcodeDetector?: CodeDetectorClass };
  const formats = await BrowserDetector?.getSupportedFormats().catch((): string[] => []);
  if (BrowserDetector && formats?.includes('qr_code')) {
    const detector = new BrowserDetector({ formats: ['qr_code'] });
    return async (video) => (await detector.detect(video).catch(() => []))[0]?.rawValue;
  }
  const { decodeQR } = await import('qr/decode.js');
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  return async (video) => {
    const side = Math.min(video.videoWidth, video.videoHeight);
    if (side === 0 || !context) return undefined;
    canvas.width = canvas.height = Math.min(side, decodedSidePxMax);
    const [left, top] = [(video.videoWidth - side) / 2, (video.videoHeight - side) / 2];
    context.drawImage(video, left, top, side, side, 0, 0, canvas.width, canvas.height);
    try {
      return decodeQR(context.getImageData(0, 0, canvas.width, canvas.height));
    } catch {
      // `decodeQR` throws if it finds no code.
      return undefined;
    }
  };
}

/**
 * The library gets square pictures of at most this width, in pixels. If a code of 57 by 57 squares fills half of this
 * width, each of its squares is 5 pixels wide.
 */
const decodedSidePxMax = 600;
