import { Component, type ComponentChildren } from 'preact';
import { texts } from '../text/texts.ts';
import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';

interface State {
  failed: boolean;
}

/** A bug in a view takes the screen, never the recording. */
export class ErrorBoundary extends Component<{ children: ComponentChildren }, State> {
  override state: State = { failed: false };

  static override getDerivedStateFromError(error: unknown): State {
    // Told to whoever looks at the console; the person sees the screen below.
    reportError(error);
    return { failed: true };
  }

  override render({ children }: { children: ComponentChildren }, { failed }: State) {
    if (!failed) return children;
    return (
      <main class="screen">
        <EmptyState alone title={texts.failed.title} text={texts.failed.text}>
          <Button look="primary" onClick={() => location.assign(home())}>
            {texts.failed.again}
          </Button>
        </EmptyState>
      </main>
    );
  }
}

const home = (): string => (location.pathname.startsWith('/watch') ? '/watch' : '/');
