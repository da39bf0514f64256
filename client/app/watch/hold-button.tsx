/**
 * A round button that acts after a hold, so that no accidental tap finishes a recording. Keys and screen readers need
 * no hold.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { RoundButton } from './round-button.tsx';
import type { IconName } from '../ui/icon.tsx';

const holdMs = 600;

interface HoldButtonProps {
  icon: IconName;
  label: string;
  disabled: boolean;
  onHold(): void;
  /** Called after a press that was too short. */
  onShortTap(): void;
}

export function HoldButton({ onHold, onShortTap, ...rest }: HoldButtonProps) {
  const [isPressed, setPressed] = useState(false);
  const held = useRef(false);
  const hasPointer = useRef(false);
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
    hasPointer.current = true;
    held.current = false;
    setPressed(true);
  };
  const release = () => setPressed(false);
  // The click of a key has the `detail` 0, and the click of a screen reader has no pointer: neither needs a hold.
  const click = ({ detail }: MouseEvent) => {
    if (detail === 0 || !hasPointer.current) onHold();
    else if (!held.current) onShortTap();
    hasPointer.current = false;
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
