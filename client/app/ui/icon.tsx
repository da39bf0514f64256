/**
 * Icons on a grid of 24 units, in the colour of the text. Icons are decorative: a text or label must say what they
 * mean.
 */
const iconPaths = {
  back: 'M15 5l-7 7 7 7',
  forward: 'M9 5l7 7-7 7',
  plus: 'M12 5v14M5 12h14',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  cross: 'M6 6l12 12M18 6L6 18',
  undo: 'M9 14L4 9l5-5M4 9h10a6 6 0 010 12h-3',
  cloud: 'M7 18a4.5 4.5 0 01-.6-8.96A6 6 0 0118 10.5 3.8 3.8 0 0117.5 18z M9.3 13.6l2 2 3.4-3.6',
  device: 'M8 3h8a1.5 1.5 0 011.5 1.5v15A1.5 1.5 0 0116 21H8a1.5 1.5 0 01-1.5-1.5v-15A1.5 1.5 0 018 3zM11 18h2',
  offline: 'M4 4l16 16M8 8.6A4.7 4.7 0 006.4 9 4.5 4.5 0 007 18h9.5M10.5 6.2A6 6 0 0118 10.5a3.8 3.8 0 012 6',
  stop: 'M8 3h8l5 5v8l-5 5H8l-5-5V8z M12 7.5v5.5 M12 16.3v.2',
  sync: 'M5 12a7 7 0 0112-4.9L19.5 9M19.5 4.5V9H15M19 12a7 7 0 01-12 4.9L4.5 15M4.5 19.5V15H9',
  maps: 'M4 6h4v12H4zM10 9h4v9h-4zM16 4h4v14h-4z',
  record: 'M12 4a8 8 0 100 16 8 8 0 000-16z M12 9a3 3 0 100 6 3 3 0 000-6z',
  note: 'M4 20l1-4.5L16 4.5a2 2 0 013 0l.5.5a2 2 0 010 3L8.5 19z',
  more: 'M5 7h.1M10 7h9M5 12h.1M10 12h9M5 17h.1M10 17h9',
  grip: 'M5 8h14M5 12h14M5 16h14',
  bin: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5',
  dots: 'M4 12a1 1 0 102 0 1 1 0 10-2 0M11 12a1 1 0 102 0 1 1 0 10-2 0M18 12a1 1 0 102 0 1 1 0 10-2 0',
  widen: 'M9 5H4v14h5M15 5h5v14h-5M8 12h8M11 9l-3 3 3 3M13 9l3 3-3 3',
  person: 'M12 4a4 4 0 100 8 4 4 0 000-8z M4.5 20c.7-3.6 3.7-5.5 7.5-5.5s6.8 1.9 7.5 5.5',
  keyboard: 'M3 7h18v10H3zM7 10.5h.1M10.3 10.5h.1M13.6 10.5h.1M17 10.5h.1M8 14h8',
  desk: 'M3 5h18v11H3zM8 20h8M12 16v4',
  pause: 'M8 5v14M16 5v14',
  interruption: 'M13 3L5 13.5h6.5L11 21l8-10.5h-6.5z',
  repeat: 'M17 2l4 4-4 4M3 11v-1a4 4 0 014-4h14M7 22l-4-4 4-4M21 13v1a4 4 0 01-4 4H3',
  watch: 'M12 7a5 5 0 100 10 5 5 0 000-10z M9 7l.8-4h4.4L15 7 M9 17l.8 4h4.4l.8-4',
} as const;

export type IconName = keyof typeof iconPaths;

export function Icon({ name, size = 24 }: { name: IconName; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={iconPaths[name]} />
    </svg>
  );
}
