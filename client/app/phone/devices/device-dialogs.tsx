import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useGemba } from '../../shell/engine.tsx';
import { storePairedDeviceName } from '../../pairing/paired-name.ts';
import { dateTimeText } from '../../text/format.ts';
import { pairTexts } from '../../text/pairing.ts';
import { DeviceFacts } from './device-facts.tsx';
import { WaitingNotice, useServerRequest } from './server-request.tsx';
import type { DistinctDevice } from './device-names.ts';
import { countKeysRevokedWith } from './key-creators.ts';
import { RevokeQuestion } from './revoke-question.tsx';
import { useNameField } from '../use-name-field.ts';
import { formTexts, deviceTexts } from '../../text/phone-on-demand.ts';

interface DeviceDialogsProps {
  device: DistinctDevice | undefined;
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
    showToast({ text });
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
            <RevokeEffects device={device} />
          </RevokeQuestion>
        )}
      </Dialog>
    </>
  );
}

interface RenameFormProps {
  device: DistinctDevice;
  onDone(text: string): void;
  onRevoke(): void;
}

function RenameForm({ device, onDone, onRevoke }: RenameFormProps) {
  const gemba = useGemba();
  const { busy, failure, run } = useServerRequest();
  const nameField = useNameField({ initial: device.given_name, missingText: pairTexts.problems.unnamed });
  const save = (event: Event) => {
    nameField.check(event);
    const newName = nameField.name;
    if (newName === '' || busy) return;
    void run(gemba.renameDevice(device.id, newName), () => {
      if (device.is_this) storePairedDeviceName('phone', newName);
      onDone(deviceTexts.renamed(newName));
    });
  };
  return (
    <form class="stack" onSubmit={save}>
      <p class="soft">{deviceTexts.paired(dateTimeText(device.paired_at))}</p>
      <DeviceFacts status={device.status} />
      <Field label={pairTexts.name} {...nameField.field} error={nameField.field.error ?? failure} />
      <Button type="submit" look="primary" wide aria-busy={busy}>
        {formTexts.save}
      </Button>
      <Button look="danger" wide onClick={onRevoke}>
        {deviceTexts.revoke}
      </Button>
      <WaitingNotice busy={busy} />
    </form>
  );
}

/**
 * Says what revoking a device does. The text for a watch does not mention API keys, since a watch cannot create keys.
 */
function RevokeEffects({ device: { id, kind, is_this } }: { device: DistinctDevice }) {
  const gemba = useGemba();
  const [keyCount, setKeyCount] = useState<number>();
  useEffect(() => {
    gemba.keys().then(
      (keys) => setKeyCount(countKeysRevokedWith(keys, id)),
      // Ignores a failure, since the text works without the number of keys.
      () => undefined,
    );
  }, [id]);
  return (
    <>
      {is_this && <p>{deviceTexts.revokeThis}</p>}
      <p>{deviceTexts.revokeText}</p>
      {kind !== 'wearable' && <p>{deviceTexts.revokeKeys(keyCount)}</p>}
    </>
  );
}
