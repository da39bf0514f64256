import type { ComponentChildren } from 'preact';

interface EmptyStateProps {
  /** Left out where the screen has it already. */
  title?: string;
  /** It is all that the page has. */
  alone?: boolean;
  /** What this place is for, and how it fills. */
  text: string;
  children?: ComponentChildren;
}

export function EmptyState({ title, alone = false, text, children }: EmptyStateProps) {
  const Heading = alone ? 'h1' : 'h2';
  return (
    <div class="empty">
      <svg class="empty-picture" viewBox="0 0 160 64" aria-hidden="true" focusable="false">
        <rect x="2" y="18" width="44" height="28" rx="8" />
        <rect x="58" y="10" width="44" height="36" rx="8" />
        <rect x="114" y="24" width="44" height="22" rx="8" />
        <path d="M46 32h12M102 32h12M2 58h156" />
      </svg>
      {title && <Heading>{title}</Heading>}
      <p class="soft">{text}</p>
      {children}
    </div>
  );
}
