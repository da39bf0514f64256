/** Shows the camera's picture while the app looks for QR codes in it, or says why there is no picture. */
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { carryTexts } from '../../text/relay/phone-relay.ts';
import { Button } from '../../ui/button.tsx';
import { useCodeCamera, type CameraFailure } from './code-camera.ts';

interface CameraViewProps {
  /** Called with the text of each QR code that the camera sees. The next call waits for the returned promise. */
  onText(text: string): Promise<unknown>;
  onClose(): void;
  closeText: string;
  /** Shown below the picture, such as how many codes were read so far. */
  children: ComponentChildren;
}

export function CameraView({ onText, onClose, closeText, children }: CameraViewProps) {
  const video = useRef<HTMLVideoElement>(null);
  const state = useCodeCamera({ video, onText });
  if (state !== 'opening' && state !== 'open') {
    return (
      <>
        <p role="alert">{cameraFailureText(state)}</p>
        <Button wide class="meeting-button" onClick={onClose}>
          {closeText}
        </Button>
      </>
    );
  }
  return (
    <>
      <div class="carry-picture">
        <video ref={video} aria-label={carryTexts.view} playsInline muted />
      </div>
      {children}
      <Button wide class="meeting-button" onClick={onClose}>
        {closeText}
      </Button>
    </>
  );
}

export const cameraFailureText = (failure: CameraFailure): string =>
  ({ denied: carryTexts.denied, missing: carryTexts.noCamera, broken: carryTexts.noReader })[failure];
