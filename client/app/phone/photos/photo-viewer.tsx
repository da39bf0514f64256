/** Shows one photo of a step on the whole screen, and leads to the step's other photos. */
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { photoTexts } from '../../text/phone-on-demand.ts';
import { texts } from '../../text/texts.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ToastRegion } from '../../ui/toast.tsx';
import { awaitedPhotoUrl, usePhotoUrl } from './use-photo-url.ts';
import { useZoom } from './use-zoom.ts';

/** The photos of one step, as the strip and the viewer show them. */
export interface PhotosOfStep {
  stepName: string;
  photoIds: readonly string[];
  /** Called to remove a photo. Absent if the photos can only be looked at. */
  onRemove?: ((photoId: string) => void) | undefined;
}

interface PhotoViewerProps extends PhotosOfStep {
  photoId: string;
  onPhoto(photoId: string): void;
  onClose(): void;
}

export function PhotoViewer({ stepName, photoIds, photoId, onPhoto, onRemove, onClose }: PhotoViewerProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const isLastDeleted = useRef(false);
  const titleId = useId();
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    heading.current?.focus();
    return () => {
      // `close` returns the focus to the thumbnail. If the step has no photo left, the camera's button gets the focus.
      shown?.close();
      if (isLastDeleted.current) document.querySelector<HTMLElement>('.photo-take input')?.focus();
    };
  }, []);
  const index = photoIds.indexOf(photoId);
  const zooming = useZoom(photoId);
  const neighbour = (by: 1 | -1) => photoIds[index + by];
  const show = (id: string | undefined) => id !== undefined && onPhoto(id);
  const remove = () => {
    onRemove?.(photoId);
    const next = neighbour(1) ?? neighbour(-1);
    isLastDeleted.current = next === undefined;
    if (next === undefined) onClose();
    else onPhoto(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    if (key === '+' || key === '=') zooming.zoomIn();
    else if (key === '-') zooming.zoomOut();
    else if (key === '0') zooming.showWhole();
    else if (zooming.moveByKey(key)) event.preventDefault();
    else if (key === 'ArrowLeft') show(neighbour(-1));
    else if (key === 'ArrowRight') show(neighbour(1));
    else return;
    event.preventDefault();
  };
  const name = photoTexts.named(index + 1, photoIds.length, stepName);
  return (
    <dialog
      ref={dialog}
      class="photo-viewer"
      aria-labelledby={titleId}
      onKeyDown={onKeyDown}
      onClose={() => dialog.current?.isConnected && onClose()}
    >
      <ToastRegion />
      <div class="photo-head">
        <h2 id={titleId} ref={heading} tabIndex={-1}>
          {name}
        </h2>
        <IconButton icon="cross" label={texts.close} onClick={onClose} />
      </div>
      <div class="photo-frame" {...zooming.frameProps}>
        <ShownPhoto photoId={photoId} name={name} zoom={zooming.zoom} />
      </div>
      <div class="photo-controls">
        {photoIds.length > 1 && (
          <IconButton
            icon="back"
            label={photoTexts.previous}
            disabled={neighbour(-1) === undefined}
            onClick={() => show(neighbour(-1))}
          />
        )}
        <Button aria-label={photoTexts.zoomOut} disabled={zooming.zoom.scale === 1} onClick={zooming.zoomOut}>
          −
        </Button>
        <Button aria-label={photoTexts.zoomIn} onClick={zooming.zoomIn}>
          +
        </Button>
        {photoIds.length > 1 && (
          <IconButton
            icon="forward"
            label={photoTexts.next}
            disabled={neighbour(1) === undefined}
            onClick={() => show(neighbour(1))}
          />
        )}
      </div>
      {onRemove && (
        <Button look="danger" icon="bin" wide onClick={remove}>
          {photoTexts.remove}
        </Button>
      )}
    </dialog>
  );
}

interface ShownPhotoProps {
  photoId: string;
  name: string;
  zoom: { scale: number; x: number; y: number };
}

/** Shows the thumbnail until the whole photo is loaded. */
function ShownPhoto({ photoId, name, zoom: { scale, x, y } }: ShownPhotoProps) {
  const photo = usePhotoUrl(photoId, 'photo');
  const preview = usePhotoUrl(photoId, 'thumbnail');
  const [url] = [photo, preview].filter((found) => found !== undefined && found !== awaitedPhotoUrl);
  const note =
    photo === undefined ? photoTexts.loading : url === undefined ? photoTexts.awaitedWhy : photoTexts.onlyPreview;
  return (
    <>
      {url !== undefined && (
        <img
          src={url}
          alt={name}
          draggable={false}
          style={{ transform: `translate(${x}px, ${y}px) scale(${scale})` }}
        />
      )}
      <p class="photo-note" role="status">
        {url === undefined || url !== photo ? note : ''}
      </p>
    </>
  );
}
