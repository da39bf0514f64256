import type { ComponentChildren, JSX } from 'preact';
import { Icon, type IconName } from './icon.tsx';

interface ButtonProps extends Omit<JSX.IntrinsicElements['button'], 'class' | 'icon'> {
  /** A screen has at most one `primary` button; a `quiet` button shows no border. */
  look?: 'primary' | 'plain' | 'quiet' | 'danger';
  icon?: IconName;
  class?: string;
  wide?: boolean;
  children: ComponentChildren;
}

export function Button({ look = 'plain', icon, wide = false, class: more = '', children, ...rest }: ButtonProps) {
  return (
    <button type="button" class={`button button-${look}${wide ? ' button-wide' : ''} ${more}`} {...rest}>
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  );
}

interface IconButtonProps extends Omit<JSX.IntrinsicElements['button'], 'icon'> {
  icon: IconName;
  /** The button's name for screen readers, also its tooltip. */
  label: string;
}

export function IconButton({ icon, label, ...rest }: IconButtonProps) {
  return (
    <button type="button" class="button button-quiet button-icon" aria-label={label} title={label} {...rest}>
      <Icon name={icon} />
    </button>
  );
}
