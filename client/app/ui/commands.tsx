/** The commands of a screen: buttons on a phone, items of the pane's menu on a desk. */
import { useContext, useId, useLayoutEffect } from 'preact/hooks';
import { Link } from '../shell/router.tsx';
import { Button } from './button.tsx';
import { PaneContext, type Command } from './pane.tsx';

interface CommandsProps {
  commands: readonly Command[];
  /** True to show the buttons below each other. */
  isStacked?: boolean;
}

export function Commands({ commands, isStacked = false }: CommandsProps) {
  const pane = useContext(PaneContext);
  const group = useId();
  useLayoutEffect(() => pane?.setCommands(group, commands));
  useLayoutEffect(() => () => pane?.setCommands(group, []), []);
  if (pane) return null;
  return (
    <div class={isStacked ? 'command-list' : 'actions'}>
      {commands.map(({ label, look = 'plain', icon, isDisabled, href, run }) =>
        href === undefined ? (
          <Button key={label} look={look} {...(icon && { icon })} wide={isStacked} disabled={isDisabled} onClick={run}>
            {label}
          </Button>
        ) : (
          <Link key={label} href={href} class={`button button-${look}`}>
            {label}
          </Link>
        ),
      )}
    </div>
  );
}
