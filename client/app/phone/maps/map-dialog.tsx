/** Makes a map, or renames one. */
import { useState } from 'preact/hooks';
import type { MapRecord } from '../../../../shared/schema/map.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { useGemba } from '../../shell/engine.tsx';
import { navigate } from '../../shell/router.tsx';
import { texts } from '../../text/texts.ts';
import { Choice } from '../../ui/choice.tsx';
import { tried } from '../tried.ts';
import { useName } from '../use-name.ts';
import { phoneTexts } from '../../text/phone.ts';

interface MapDialogProps {
  /** undefined: a new one. */
  map?: Pick<MapRecord, 'id' | 'name' | 'state'>;
  open: boolean;
  onClose(): void;
}

export function MapDialog({ open, onClose, map }: MapDialogProps) {
  return (
    <Dialog open={open} title={map ? phoneTexts.map.editTitle : texts.maps.new} onClose={onClose}>
      <MapForm map={map} onClose={onClose} />
    </Dialog>
  );
}

function MapForm({ map, onClose }: { map: MapDialogProps['map']; onClose(): void }) {
  const gemba = useGemba();
  const name = useName({ begun: map?.name, missing: phoneTexts.map.unnamed });
  const [state, setState] = useState(map?.state ?? 'current');
  const [creating, setCreating] = useState(false);
  const save = async (event: Event) => {
    name.check(event);
    if (name.given === '') return;
    const fields = { name: name.given, state };
    if (map) {
      const changed = fields.name !== map.name || state !== map.state;
      if (!changed || (await tried(gemba.updateMap(map.id, fields)))) onClose();
      return;
    }
    const id = crypto.randomUUID();
    // It may take until the engine is open, and a second tap would make a second map.
    setCreating(true);
    const isCreated = await tried(gemba.createMap({ id, ...fields })).finally(() => setCreating(false));
    if (!isCreated) return;
    onClose();
    navigate(`/maps/${id}`);
  };
  return (
    <form class="stack" onSubmit={save}>
      <Field label={texts.maps.name} hint={texts.maps.nameHint} {...name.field} />
      <Choice label={phoneTexts.map.state} options={phoneTexts.map.states} value={state} onValue={setState} />
      <Button type="submit" look="primary" wide disabled={creating}>
        {map ? phoneTexts.save : texts.maps.create}
      </Button>
    </form>
  );
}
