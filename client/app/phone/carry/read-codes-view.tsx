/** Reads the QR codes of hand-overs by the camera, and shows how many codes of a hand-over this phone has read. */
import { useRef, useState } from 'preact/hooks';
import { sessionCodeKind, type CodeProgress } from '../../../client.ts';
import { vibrate } from '../../recorder/run-with-vibration.ts';
import { attachedCarrier } from '../../shell/attached-carrier.ts';
import { carryTexts } from '../../text/relay/phone-relay.ts';
import { Icon } from '../../ui/icon.tsx';
import { useWakeLock } from '../../recorder/use-wake-lock.ts';
import { CameraView } from './camera-view.tsx';

const codeVibrationMs = 10;
const handOverVibrationMs = 200;

interface ReadCodesViewProps {
  /** Called when this phone has stored every hand-over of which the camera saw a code. */
  onTaken(): void;
  /** Called with the offer of another phone: the QR code by which the two phones connect. */
  onOffer(code: string): void;
  onClose(): void;
}

export function ReadCodesView({ onTaken, onOffer, onClose }: ReadCodesViewProps) {
  const [reader] = useState(() => attachedCarrier.readCodes());
  const [progress, setProgress] = useState<CodeProgress>();
  const unstored = useRef(new Set<string>());
  const lastKind = useRef<CodeProgress['kind'] | undefined>(undefined);
  useWakeLock();
  const onText = async (text: string) => {
    if (sessionCodeKind(text) === 'offer') return onOffer(text);
    const read = await (await reader).add(text);
    if (read.kind === 'nothing') return;
    setProgress(read);
    trackUnstored(unstored.current, read);
    // If several codes in a row have the same outcome, such as `full`, only the first code makes a long vibration.
    if (read.kind === 'part') vibrate(codeVibrationMs);
    else if (read.kind !== lastKind.current) vibrate(handOverVibrationMs);
    lastKind.current = read.kind;
    if (read.kind === 'whole' && unstored.current.size === 0) onTaken();
  };
  return (
    <section class="card stack carry-camera">
      <CameraView onText={onText} onClose={onClose} closeText={carryTexts.close}>
        <CodesProgress progress={progress} />
      </CameraView>
    </section>
  );
}

/**
 * Updates `unstored`, which has the name of each hand-over that the camera has seen but this phone has not stored.
 * Leaves out hand-overs to another server.
 */
export function trackUnstored(unstored: Set<string>, read: CodeProgress): void {
  switch (read.kind) {
    case 'part':
    case 'full':
    case 'not_stored':
    case 'refused':
      unstored.add(read.name);
      break;
    case 'whole':
      unstored.delete(read.name);
      break;
  }
}

function CodesProgress({ progress }: { progress: CodeProgress | undefined }) {
  switch (progress?.kind) {
    case 'part': {
      const { have, total } = progress;
      const text = carryTexts.progress(have, total);
      return (
        <div class="stack">
          <p class="carry-count">{text}</p>
          <progress aria-label={text} value={have} max={total} />
        </div>
      );
    }
    case 'full':
      return <p role="alert">{carryTexts.full}</p>;
    case 'not_stored':
      return <p role="alert">{carryTexts.notStored}</p>;
    case 'other_server':
      return <p role="alert">{carryTexts.otherServer}</p>;
    case 'refused':
      return <p role="alert">{carryTexts.refused}</p>;
    default:
      return <p class="soft">{carryTexts.aim}</p>;
  }
}

export function TakenNotice() {
  return (
    <div class="carry-taken" role="status">
      <Icon name="check" size={32} />
      <p>
        <strong>{carryTexts.taken}</strong>
        <br />
        {carryTexts.takenWhy}
      </p>
    </div>
  );
}
