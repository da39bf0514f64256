/** Shows the photos of a step as a row of thumbnails, each of which opens the viewer. Scrolls to a photo just taken. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { photoTexts } from '../../text/phone-on-demand.ts';
import { PhotoViewer, type PhotosOfStep } from './photo-viewer.tsx';
import { awaitedPhotoUrl, usePhotoUrl } from './use-photo-url.ts';

export function PhotoStrip({ stepName, photoIds, onRemove }: PhotosOfStep) {
  const [openId, setOpenId] = useState<string>();
  const list = useRef<HTMLUListElement>(null);
  const isTaking = onRemove !== undefined;
  useEffect(() => {
    if (isTaking) list.current?.scrollTo({ left: list.current.scrollWidth });
  }, [isTaking, photoIds.length]);
  const lastOpenId = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    if (openId !== undefined) lastOpenId.current = openId;
    // The viewer has closed. The thumbnail that opened the viewer is gone, since its photo was removed. Focuses the
    // thumbnail of the photo that the viewer showed last.
    else if (lastOpenId.current !== undefined && document.activeElement === document.body)
      list.current?.querySelectorAll('button')[photoIds.indexOf(lastOpenId.current)]?.focus();
  }, [openId]);
  if (photoIds.length === 0) return null;
  return (
    <>
      <ul ref={list} class="photo-strip" role="list" aria-label={photoTexts.ofStep(stepName)}>
        {photoIds.map((id, index) => (
          <li key={id}>
            <Thumbnail
              photoId={id}
              name={photoTexts.named(index + 1, photoIds.length, stepName)}
              onOpen={() => setOpenId(id)}
            />
          </li>
        ))}
      </ul>
      {openId !== undefined && (
        <PhotoViewer
          stepName={stepName}
          photoIds={photoIds}
          photoId={openId}
          onPhoto={setOpenId}
          onRemove={onRemove}
          onClose={() => setOpenId(undefined)}
        />
      )}
    </>
  );
}

interface ThumbnailProps {
  photoId: string;
  name: string;
  onOpen(): void;
}

function Thumbnail({ photoId, name, onOpen }: ThumbnailProps) {
  const url = usePhotoUrl(photoId, 'thumbnail');
  return (
    <button type="button" class="photo-thumbnail" onClick={onOpen}>
      {url !== undefined && url !== awaitedPhotoUrl ? (
        <img src={url} alt={name} />
      ) : (
        <>
          <span class="visually-hidden">{name}. </span>
          {url === awaitedPhotoUrl && <span class="photo-awaited">{photoTexts.awaited}</span>}
        </>
      )}
    </button>
  );
}
