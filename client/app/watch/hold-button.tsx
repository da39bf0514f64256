/** A round button that a finger holds, so that no accidental tap finishes a recording. A key or a screen reader needs no hold. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { RoundButton } from './round-button.tsx';
import type { IconName } from '../ui/icon.tsx';

const holdMs = 600;

interface HoldButtonProps {
  icon: IconName;
  label: string;
  disabled: boolean;
  onHold(): void;
  /** Called after a tap that was too short. */
  onShortTap(): void;
}

export function HoldButton({ onHold, onShortTap, ...rest }: HoldButtonProps) {
  const [isPressed, setPressed] = useState(false);
  const held = useRef(false);
  const run = useRef(onHold);
  run.current = onHold;
  useEffect(() => {
    if (!isPressed) return undefined;
    const timer = setTimeout(() => {
      held.current = true;
      setPressed(false);
      run.current();
    }, holdMs);
    return () => clearTimeout(timer);
  }, [isPressed]);
  const press = () => {
    held.current = false;
    setPressed(true);
  };
  const release = () => setPressed(false);
  // A click without a pointer comes from a key or a screen reader and has no `detail`.
  const click = ({ detail }: MouseEvent) => {
    if (detail === 0) onHold();
    else if (!held.current) onShortTap();
  };
  return (
    <RoundButton
      {...rest}
      data-held={isPressed ? '' : undefined}
      onPointerDown={press}
      onPointerUp={release}
      onPointerLeave={release}
      onPointerCancel={release}
      onContextMenu={(event) => event.preventDefault()}
      onClick={click}
    />
  );
}
