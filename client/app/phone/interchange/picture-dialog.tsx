/** The dialog that makes a picture of a map's value stream to save or share. The device needs no server for this. */
import type { FullMap } from '../../../client.ts';
import { useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { useGemba } from '../../shell/engine.tsx';
import { exportTexts, pictureTexts } from '../../text/interchange/phone-interchange.ts';
import { language } from '../../text/language.ts';
import { anyFailureText } from './any-failure-text.ts';
import { fileNameOf } from './file-name.ts';
import { SaveOrShareFile } from './save-or-share-file.tsx';
import { pngOfSvg } from './png-of-svg.ts';

interface PictureDialogProps {
  map: FullMap;
  open: boolean;
  onClose(): void;
}

export function PictureDialog({ map, open, onClose }: PictureDialogProps) {
  return (
    <Dialog open={open} title={pictureTexts.title} onClose={onClose}>
      <PictureForm map={map} />
    </Dialog>
  );
}

type PictureKind = keyof typeof pictureTexts.kinds;

function PictureForm({ map }: { map: FullMap }) {
  const gemba = useGemba();
  const [kind, setKind] = useState<PictureKind>('png');
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<{ file: File; source: string }>();
  const [failure, setFailure] = useState<string>();
  // Identifies what the picture shows, since a sync can change the map while the dialog is open.
  const source = JSON.stringify([kind, map]);
  const make = async () => {
    setMaking(true);
    setFailure(undefined);
    try {
      const svg = await gemba.valueStreamSvg(map.id, { lang: language });
      const blob = kind === 'png' ? await pngOfSvg(svg) : svg;
      const name = fileNameOf({ mapName: map.name, day: new Date(), format: pictureTexts.fileName(kind) });
      setMade({ file: new File([blob], name, { type: blob.type }), source });
    } catch (error) {
      setFailure(anyFailureText(error));
    } finally {
      setMaking(false);
    }
  };
  return (
    <>
      <RadioGroup label={exportTexts.format} options={pictureTexts.kinds} value={kind} onValue={setKind} />
      {failure && (
        <p class="field-error" role="alert">
          {failure}
        </p>
      )}
      {made?.source === source ? (
        <SaveOrShareFile file={made.file} content={pictureTexts.content(map.stages.length)} />
      ) : (
        <Button look="primary" wide disabled={isMaking} onClick={() => void make()}>
          {isMaking ? exportTexts.making : exportTexts.make}
        </Button>
      )}
    </>
  );
}
