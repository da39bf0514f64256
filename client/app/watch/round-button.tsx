/** A round button with only an icon: a round screen would cut off a rectangle with text. */
import type { JSX } from 'preact';
import { Icon, type IconName } from '../ui/icon.tsx';

interface RoundButtonProps extends Omit<JSX.IntrinsicElements['button'], 'class' | 'icon'> {
  icon: IconName;
  label: string;
  look?: 'plain' | 'primary' | 'danger';
}

export function RoundButton({ icon, label, look = 'plain', ...rest }: RoundButtonProps) {
  return (
    <button type="button" class={`button button-${look} watch-round`} aria-label={label} {...rest}>
      <Icon name={icon} />
    </button>
  );
}
