import { TimeText } from './time-text.tsx';

interface NamedTextProps {
  /** The name of a map or a stage in the text. */
  name: string;
  children: string;
}

/** Shows a text in the writing direction of the app's language, and the name inside it in the name's own direction. */
export function NamedText({ name, children }: NamedTextProps) {
  const start = children.indexOf(name);
  if (start < 0) return <TimeText>{children}</TimeText>;
  return (
    <>
      <TimeText>{children.slice(0, start)}</TimeText>
      <bdi>{name}</bdi>
      <TimeText>{children.slice(start + name.length)}</TimeText>
    </>
  );
}
