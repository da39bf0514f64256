import { useEffect, useState } from 'preact/hooks';
import type { PhotoSize } from '../../../client.ts';
import { useGemba } from '../../shell/engine.tsx';

/**
 * Returns an object URL of the photo for an `<img>`; `awaitedPhoto` if the photo is neither here nor on the server yet;
 * undefined until that is known. Revokes the URL when the component unmounts, since it holds the bytes in memory.
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
        setShown({ photoId, url: url ?? awaitedPhoto });
      },
      // Shows a photo that failed to load like an awaited one: in both cases it is not here.
      error: () => setShown({ photoId, url: awaitedPhoto }),
    });
    return () => {
      subscription.unsubscribe();
      revoke();
    };
  }, [gemba, photoId, size]);
  return shown?.photoId === photoId ? shown.url : undefined;
}

/** Stands for the URL of a photo that has not arrived yet. */
export const awaitedPhoto = 'awaited';
