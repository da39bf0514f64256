/** A command and a button that open the dialog in which a person exports runs of a map. */
import { useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { Commands } from '../../ui/commands.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { exportTexts } from '../../text/interchange/phone-interchange.ts';
import { ExportForm } from './export-form.tsx';
import type { RunSets } from './run-sets.ts';

interface ExportCommandProps {
  mapId: string;
  sets?: RunSets | undefined;
  /** True if the command stands in a list of commands. */
  isStacked?: boolean;
}

export function ExportCommand({ mapId, sets = {}, isStacked = false }: ExportCommandProps) {
  const [isOpen, setOpen] = useState(false);
  const label = sets.one ? exportTexts.run : exportTexts.runs;
  return (
    <>
      <Commands isStacked={isStacked} commands={[{ label, run: () => setOpen(true) }]} />
      <ExportDialog mapId={mapId} sets={sets} open={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}

/** A button for the screens of a phone. A desk shows `ExportCommand` in the menu of the pane. */
export function ExportButton({ mapId, sets }: Pick<ExportCommandProps, 'mapId' | 'sets'>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{exportTexts.short}</Button>
      <ExportDialog mapId={mapId} sets={sets} open={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}

interface ExportDialogProps {
  mapId: string;
  sets?: RunSets | undefined;
  open: boolean;
  onClose(): void;
}

export function ExportDialog({ mapId, sets = {}, open, onClose }: ExportDialogProps) {
  return (
    <Dialog open={open} title={sets.one ? exportTexts.run : exportTexts.runs} onClose={onClose}>
      <ExportForm mapId={mapId} sets={sets} />
    </Dialog>
  );
}
