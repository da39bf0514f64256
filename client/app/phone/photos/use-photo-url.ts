import { useEffect, useState } from 'preact/hooks';
import type { PhotoSize } from '../../../client.ts';
import { useGemba } from '../../shell/engine.tsx';

/**
 * Returns undefined until the engine answers, then an object URL of the photo for an `<img>`. Returns `awaitedPhotoUrl`
 * if neither this device nor the server has the photo yet. Revokes the URL on unmount, since the URL holds the bytes in
 * memory.
 */
export function usePhotoUrl(photoId: string, size: PhotoSize): string | undefined {
  const gemba = useGemba();
  const [shown, setShown] = useState<{ photoId: string; url: string }>();
  useEffect(() => {
    let url: string | undefined;
    const revoke = () => url !== undefined && URL.revokeObjectURL(url);
    const subscription = gemba.photo$(photoId, size).subscribe({
      next: (found) => {
        revoke();
        url = found === 'awaited' ? undefined : URL.createObjectURL(found);
        setShown({ photoId, url: url ?? awaitedPhotoUrl });
      },
      // Shows a photo that failed to load like an awaited photo: in both cases this device lacks the photo.
      error: () => setShown({ photoId, url: awaitedPhotoUrl }),
    });
    return () => {
      subscription.unsubscribe();
      revoke();
    };
  }, [gemba, photoId, size]);
  return shown?.photoId === photoId ? shown.url : undefined;
}

/** Stands for the URL of a photo that has not arrived yet. */
export const awaitedPhotoUrl = 'awaited';
