import type { ComponentChildren } from 'preact';

interface EmptyStateProps {
  /** Absent if the screen's heading already says what is missing. */
  title?: string;
  /** True if the page has nothing else, so that the title becomes the page's `<h1>`. */
  isWholePage?: boolean;
  text: string;
  children?: ComponentChildren;
}

export function EmptyState({ title, isWholePage = false, text, children }: EmptyStateProps) {
  const Heading = isWholePage ? 'h1' : 'h2';
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
