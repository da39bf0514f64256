/** The frame that a pane of the desk gives to its screen. On a phone, a screen is in no pane. */
import { createContext, type ComponentChildren } from 'preact';
import type { IconName } from './icon.tsx';

interface CommandFields {
  label: string;
  look?: 'plain' | 'danger';
  icon?: IconName;
  isDisabled?: boolean;
}

/** A command runs a function or opens a path. */
export type Command = CommandFields & ({ run(): void; href?: never } | { href: string; run?: never });

export interface PaneFrame {
  /** True for the pane whose title is the page's title, and whose heading takes the focus after a navigation. */
  isMain: boolean;
  hasBack: boolean;
  /** The pane's own buttons, shown at the end of the screen's head. */
  controls: ComponentChildren;
  /** Shows the commands of one group in the pane's menu. An empty list removes the group. */
  setCommands(group: string, commands: readonly Command[]): void;
}

export const PaneContext = createContext<PaneFrame | null>(null);
