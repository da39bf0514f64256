/** The taps that an undo can take back, and their kinds in the public API. */
import type { TapAfterStart } from '../../storage/rows.ts';

export type UndoableTap = Exclude<TapAfterStart, { kind: 'undone' | 'discarded' | 'restored' | 'finished' }>;
export type TapOf<Kind extends UndoableTap['kind']> = Extract<UndoableTap, { kind: Kind }>;

/** A tap that `undo` would take back. */
export interface Undoable {
  kind:
    | 'step'
    | 'note'
    | 'edit'
    | 'split'
    | 'join'
    | 'border'
    | 'photo'
    | 'photo_removal'
    | 'pause'
    | 'resume'
    | 'cycle';
  /** The name of the step that the tap began or changed. */
  stage_name: string;
}

/** The public kind of each tap that `undo` can take back. */
export const undoKinds: Record<UndoableTap['kind'], Undoable['kind']> = {
  stepped: 'step',
  noted: 'note',
  edited: 'edit',
  split: 'split',
  joined: 'join',
  border_moved: 'border',
  photographed: 'photo',
  photo_removed: 'photo_removal',
  paused: 'pause',
  resumed: 'resume',
};

export const isUndoable = (tap: TapAfterStart): tap is UndoableTap => Object.hasOwn(undoKinds, tap.kind);
