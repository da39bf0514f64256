import { useEffect, useState } from 'preact/hooks';
import type { PhotoSize } from '../../../client.ts';
import { useGemba } from '../../shell/engine.tsx';

/**
 * Returns an address of the photo for an `<img>`, `awaited` while neither this device nor the server has it, and undefined
 * while that is not known. The address is revoked with its view, since it holds the bytes in memory.
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
        setShown({ photoId, url: url ?? awaited });
      },
      // The view says that the photo is not here, which is all that a person can know of it.
      error: () => setShown({ photoId, url: awaited }),
    });
    return () => {
      subscription.unsubscribe();
      revoke();
    };
  }, [gemba, photoId, size]);
  return shown?.photoId === photoId ? shown.url : undefined;
}

export const awaited = 'awaited';
