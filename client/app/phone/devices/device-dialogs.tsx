/** Renames a device, or revokes it, which asks first. */
import { useEffect, useState } from 'preact/hooks';
import type { PairedDevice } from '../../../client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.tsx';
import { useGemba } from '../../shell/engine.tsx';
import { rememberPaired } from '../../pairing/paired.ts';
import { moment } from '../../text/format.ts';
import { texts } from '../../text/texts.ts';
import { Asking, useAsked } from './asked.tsx';
import { keysThatGo } from './key-makers.ts';
import { RevokeQuestion } from './revoke-question.tsx';
import { useName } from '../use-name.ts';
import { phoneTexts } from '../../text/phone.ts';
import { deviceTexts } from '../../text/phone-devices.ts';

interface DeviceDialogsProps {
  device: PairedDevice | undefined;
  onClose(): void;
  onChanged(): void;
}

export function DeviceDialogs({ device, onClose, onChanged }: DeviceDialogsProps) {
  const gemba = useGemba();
  const [revoking, setRevoking] = useState(false);
  const close = () => {
    setRevoking(false);
    onClose();
  };
  const done = (text: string) => {
    close();
    toast({ text });
    onChanged();
  };
  return (
    <>
      <Dialog open={device !== undefined && !revoking} title={device?.name ?? ''} onClose={close}>
        {device && <RenameForm device={device} onDone={done} onRevoke={() => setRevoking(true)} />}
      </Dialog>
      <Dialog open={revoking} title={deviceTexts.revokeTitle(device?.name ?? '')} onClose={close}>
        {device && (
          <RevokeQuestion
            revoke={() => gemba.revokeDevice(device.id)}
            onDone={() => done(deviceTexts.isRevoked(device.name))}
            onClose={close}
          >
            <RevokedMeans device={device} />
          </RevokeQuestion>
        )}
      </Dialog>
    </>
  );
}

interface RenameFormProps {
  device: PairedDevice;
  onDone(text: string): void;
  onRevoke(): void;
}

function RenameForm({ device, onDone, onRevoke }: RenameFormProps) {
  const gemba = useGemba();
  const { busy, trouble, ask } = useAsked();
  const name = useName({ begun: device.name, missing: texts.pair.problems.unnamed });
  const save = (event: Event) => {
    name.check(event);
    const wanted = name.given;
    if (wanted === '' || busy) return;
    void ask(gemba.renameDevice(device.id, wanted), () => {
      if (device.is_this) rememberPaired('phone', wanted);
      onDone(deviceTexts.renamed(wanted));
    });
  };
  return (
    <form class="stack" onSubmit={save}>
      <p class="soft">{deviceTexts.paired(moment(device.paired_at))}</p>
      <Field label={texts.pair.name} {...name.field} error={name.field.error ?? trouble} />
      <Button type="submit" look="primary" wide aria-busy={busy}>
        {phoneTexts.save}
      </Button>
      <Button look="danger" wide onClick={onRevoke}>
        {deviceTexts.revoke}
      </Button>
      <Asking busy={busy} />
    </form>
  );
}

/** The paragraphs explain what revoking a device does. A watch makes no keys. */
function RevokedMeans({ device: { id, kind, is_this } }: { device: PairedDevice }) {
  const gemba = useGemba();
  const [count, setCount] = useState<number>();
  useEffect(() => {
    gemba.keys().then(
      (keys) => setCount(keysThatGo(keys, id)),
      // Said without a number.
      () => undefined,
    );
  }, [id]);
  return (
    <>
      {is_this && <p>{deviceTexts.revokeThis}</p>}
      <p>{deviceTexts.revokeText}</p>
      {kind === 'phone' && <p>{deviceTexts.revokeKeys(count)}</p>}
    </>
  );
}
