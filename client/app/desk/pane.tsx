/**
 * One pane of the desk. The head of its screen has a menu of the screen's commands, and a link that closes the pane.
 */
import type { ComponentChildren } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { Link } from '../shell/router.tsx';
import { IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { PaneContext, type Command, type PaneFrame } from '../ui/pane.tsx';
import { deskTexts } from '../text/desk.ts';
import { Menu } from './menu.tsx';
import { printPane } from './print.ts';
import { useRovingRows } from './row-focus.ts';

interface PaneProps {
  /** The number key that moves the focus to the pane. */
  number: 1 | 2 | 3;
  label: string;
  isMain: boolean;
  hasBack?: boolean;
  /** True if the pane's menu offers to print the pane. */
  canPrint?: boolean;
  /** The path of the desk after this pane closes; absent if the pane cannot be closed. */
  closeTo?: string;
  widening?: { isWide: boolean; toggle(): void };
  children: ComponentChildren;
}

export function Pane({ number, label, isMain, hasBack = false, canPrint, closeTo, widening, children }: PaneProps) {
  const section = useRef<HTMLElement>(null);
  const { commands, setCommands } = useCommandGroups();
  useRovingRows(section);
  const printCommand: Command = { label: deskTexts.print, run: () => void printPane(section.current) };
  const isDanger = ({ look }: Command) => look === 'danger';
  const menuCommands = [
    ...commands.filter((command) => !isDanger(command)),
    ...(canPrint ? [printCommand] : []),
    ...commands.filter(isDanger),
  ];
  const controls = (
    <div class="pane-controls">
      {menuCommands.length > 0 && <Menu label={deskTexts.menu} commands={menuCommands} />}
      {widening && (
        <IconButton
          icon="widen"
          label={widening.isWide ? deskTexts.narrow : deskTexts.widen}
          aria-pressed={widening.isWide}
          onClick={widening.toggle}
        />
      )}
      {closeTo !== undefined && (
        <Link
          href={closeTo}
          class="button button-quiet button-icon"
          aria-label={deskTexts.close}
          title={deskTexts.close}
        >
          <Icon name="cross" />
        </Link>
      )}
    </div>
  );
  const frame: PaneFrame = { isMain, hasBack, controls, setCommands };
  return (
    <section
      ref={section}
      class={`pane${isMain ? ' pane-main' : ''}`}
      data-pane={number}
      aria-label={label}
      tabIndex={-1}
    >
      <PaneContext.Provider value={frame}>{children}</PaneContext.Provider>
    </section>
  );
}

/**
 * Collects the commands that the screen sets. The pane renders again when the labels of the commands change, but not
 * when only their functions change. A click therefore looks up the newest function of its command.
 */
function useCommandGroups() {
  const groups = useRef(new Map<string, readonly Command[]>());
  const [labels, setLabels] = useState('');
  const setCommands = useMemo(
    () => (group: string, commands: readonly Command[]) => {
      if (commands.length > 0) groups.current.set(group, commands);
      else groups.current.delete(group);
      setLabels(JSON.stringify([...groups.current.values()].flat().map(({ label }) => label)));
    },
    [],
  );
  const commands = useMemo(
    () =>
      [...groups.current].flatMap(([group, ofGroup]) =>
        ofGroup.map((command): Command => {
          const newest = () => groups.current.get(group)?.find(({ label }) => label === command.label);
          return command.run ? { ...command, run: () => newest()?.run?.() } : command;
        }),
      ),
    [labels],
  );
  return { commands, setCommands };
}
