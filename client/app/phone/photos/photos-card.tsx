/**
 * Says how many photos are not on the server yet, why, and what a person can do. A setting in the card says when this
 * device sends photos.
 */
import { useEffect, useState } from 'preact/hooks';
import type { Gemba, PhotosStatus } from '../../../client.ts';
import { useGemba } from '../../shell/engine.tsx';
import { numberText } from '../../text/format.ts';
import { photoTexts } from '../../text/phone-on-demand.ts';
import { Button } from '../../ui/button.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { succeededOrToast } from '../succeeded-or-toast.ts';

const bytesPerMegabyte = 1_000_000;

/** Returns undefined until the engine has emitted the status. */
function usePhotosStatus(gemba: Gemba): PhotosStatus | undefined {
  const [status, setStatus] = useState<PhotosStatus>();
  useEffect(() => {
    // Ignores a failure: without a network the code for photos may not load, and the screen then shows no card.
    const subscription = gemba.photos$.subscribe({ next: setStatus, error: () => {} });
    return () => subscription.unsubscribe();
  }, [gemba]);
  return status;
}

/** Shows how many photos are only on this device, or what holds these photos back. */
export function UnsentPhotoCount({ photos }: { photos: number }) {
  const status = usePhotosStatus(useGemba());
  if (!status?.held_by) return <>{numberText(photos)}</>;
  return <span class="why">{photoTexts.waiting(status.held_by, status.policy, status.pending)}</span>;
}

export function PhotosCard() {
  const gemba = useGemba();
  const status = usePhotosStatus(gemba);
  if (!status) return null;
  const { policy, refused, lost } = status;
  return (
    <section class="card stack photos-card" aria-label={photoTexts.title}>
      <h2>{photoTexts.title}</h2>
      <div role="status">
        <UnsentPhotos status={status} />
      </div>
      <SendPhotosNow gemba={gemba} status={status} />
      {refused > 0 && (
        <>
          <p class="photos-problem">{photoTexts.refused(refused)}</p>
          <Button icon="sync" wide onClick={() => succeededOrToast(gemba.retryPhotos())}>
            {photoTexts.tryAgain}
          </Button>
        </>
      )}
      {lost > 0 && <p class="photos-problem">{photoTexts.lost(lost)}</p>}
      <RadioGroup
        label={photoTexts.policy}
        options={photoTexts.policies}
        value={policy}
        onValue={(chosen) => void succeededOrToast(gemba.setPhotoPolicy(chosen))}
      />
      <p class="soft">{photoTexts.policyWhy}</p>
    </section>
  );
}

function UnsentPhotos({ status: { pending, bytes, held_by, policy, refused, lost } }: { status: PhotosStatus }) {
  if (pending === 0) return refused + lost === 0 ? <p>{photoTexts.allSent}</p> : null;
  if (held_by === null) {
    const megabytes = Math.max(0.1, Math.round((bytes / bytesPerMegabyte) * 10) / 10);
    return <p>{photoTexts.sending(pending, numberText(megabytes))}</p>;
  }
  return (
    <>
      <p>
        <strong>{photoTexts.waiting(held_by, policy, pending)}</strong>
      </p>
      {held_by === 'quota' && <p>{photoTexts.quotaWhat(pending)}</p>}
    </>
  );
}

function SendPhotosNow({ gemba, status: { held_by } }: { gemba: Gemba; status: PhotosStatus }) {
  if (held_by === null || held_by === 'offline' || held_by === 'sync' || held_by === 'blocked') return null;
  const isHeldByPolicy = held_by === 'metered';
  return (
    <Button
      icon="sync"
      wide
      onClick={() => succeededOrToast(isHeldByPolicy ? gemba.sendPhotosNow() : gemba.retryPhotos())}
    >
      {isHeldByPolicy ? photoTexts.sendNow : photoTexts.tryAgain}
    </Button>
  );
}
