import type { MapRecord, StageReplacement } from '../../../client.ts';
import { useRef, useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { useGemba } from '../../shell/engine.tsx';
import { Link, navigate } from '../../shell/router.tsx';
import { texts } from '../../text/texts.ts';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { succeededOrToast } from '../succeeded-or-toast.ts';
import { StartFromField } from './start-from.tsx';
import { useNameField } from '../use-name-field.ts';
import { importTexts } from '../../text/interchange/phone-interchange.ts';
import { mapDialogTexts } from '../../text/phone-maps.ts';
import { formTexts } from '../../text/phone-on-demand.ts';

export interface MapDialogProps {
  /** The map to edit; undefined if the dialog creates a map. */
  map?: Pick<MapRecord, 'id' | 'name' | 'state'>;
  open: boolean;
  onClose(): void;
}

export function MapDialog({ open, onClose, map }: MapDialogProps) {
  return (
    <Dialog open={open} title={map ? mapDialogTexts.editTitle : texts.maps.new} onClose={onClose}>
      <MapForm map={map} onClose={onClose} />
    </Dialog>
  );
}

function MapForm({ map, onClose }: { map: MapDialogProps['map']; onClose(): void }) {
  const gemba = useGemba();
  const nameField = useNameField({ initial: map?.name, missingText: mapDialogTexts.unnamed });
  const [state, setState] = useState(map?.state ?? 'current');
  const [isCreating, setCreating] = useState(false);
  const loadStages = useRef<() => Promise<StageReplacement[]>>(async () => []);
  const save = async (event: Event) => {
    nameField.check(event);
    if (nameField.name === '') return;
    const fields = { name: nameField.name, state };
    if (map) {
      const isChanged = fields.name !== map.name || state !== map.state;
      if (!isChanged || (await succeededOrToast(gemba.updateMap(map.id, fields)))) onClose();
      return;
    }
    const id = crypto.randomUUID();
    // Disables the button while `createMap` waits for the engine: a second tap would create a second map.
    setCreating(true);
    const create = async () => {
      const stages = await loadStages.current();
      await gemba.createMap({ id, ...fields });
      if (stages.length > 0) await gemba.replaceStages(id, stages);
    };
    const isCreated = await succeededOrToast(create()).finally(() => setCreating(false));
    if (!isCreated) return;
    onClose();
    navigate(`/maps/${id}`);
  };
  return (
    <form class="stack" onSubmit={save}>
      <Field label={texts.maps.name} hint={mapDialogTexts.nameHint} {...nameField.field} />
      <RadioGroup label={mapDialogTexts.state} options={mapDialogTexts.states} value={state} onValue={setState} />
      {!map && <StartFromField onChoice={(load) => (loadStages.current = load)} />}
      <Button type="submit" look="primary" wide disabled={isCreating}>
        {map ? formTexts.save : texts.maps.create}
      </Button>
      {!map && (
        <Link href="/account/import" class="button button-quiet">
          {importTexts.title}
        </Link>
      )}
    </form>
  );
}
