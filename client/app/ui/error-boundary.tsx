import { Component, type ComponentChildren } from 'preact';
import { texts } from '../text/texts.ts';
import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';

interface BoundaryState {
  failed: boolean;
}

/** Shows an error instead of all views after a bug in one view. The engine and its recording keep running. */
export class ErrorBoundary extends Component<{ children: ComponentChildren }, BoundaryState> {
  override state: BoundaryState = { failed: false };

  static override getDerivedStateFromError(error: unknown): BoundaryState {
    reportError(error);
    return { failed: true };
  }

  override render({ children }: { children: ComponentChildren }, { failed }: BoundaryState) {
    if (!failed) return children;
    return (
      <main class="screen">
        <EmptyState isWholePage title={texts.failed.title} text={texts.failed.text}>
          <Button look="primary" onClick={() => location.assign(homePath())}>
            {texts.failed.again}
          </Button>
        </EmptyState>
      </main>
    );
  }
}

const homePath = (): string => /^\/(?:watch|desk)(?=\/|$)/.exec(location.pathname)?.[0] ?? '/';
