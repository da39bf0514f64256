/** Mounts components in the page and watches what they show, and what an engine is asked for. */
import { Component, createElement, StrictMode, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { defer, finalize, type Observable } from 'rxjs';
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory';
import { openGemba, type DeviceStorage, type Gemba, type GembaOptions } from '../../../../client/client.ts';

export const engineOptions = (more: Partial<GembaOptions> = {}): GembaOptions => ({
  name: `device-${crypto.randomUUID()}`,
  url: location.origin,
  ...more,
});

/** Opens an engine on the browser's IndexedDB. The engine has no token, and so stays offline. */
export const openEngine = (): Promise<Gemba> => openGemba(engineOptions());

/** Opens an engine whose updates wait for no disk. */
export const openMemoryEngine = (): Promise<Gemba> =>
  openGemba(engineOptions({ storage: getRxStorageMemory() as unknown as DeviceStorage }));

export interface Mounted {
  root: Root;
  container: HTMLElement;
  /** The messages of caught errors. */
  errors: string[];
  show(node: ReactNode): void;
}

/** Mounts in StrictMode, which in a development build mounts each component twice. */
export function mount(node: ReactNode): Mounted {
  const container = document.createElement('div');
  document.body.append(container);
  const errors: string[] = [];
  const root = createRoot(container, { onCaughtError: () => {} } as object);
  const show = (shown: ReactNode) =>
    root.render(createElement(StrictMode, null, createElement(Boundary, { errors }, shown)));
  show(node);
  return { root, container, errors, show };
}

interface BoundaryProps {
  errors: string[];
  children?: ReactNode;
}

/** Shows the message of an error, and after a click renders its children again. */
class Boundary extends Component<BoundaryProps, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override componentDidCatch(error: Error): void {
    this.props.errors.push(error.message);
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    const retry = () => this.setState({ error: null });
    return createElement('button', { onClick: retry }, `failed: ${error.message}`);
  }
}

const untilMsMax = 60_000;

/** Resolves once the condition holds. */
export async function until(holds: () => boolean): Promise<void> {
  const end = performance.now() + untilMsMax;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`still false: ${holds}`);
    await nextTask();
  }
}

export const untilText = ({ container }: Pick<Mounted, 'container'>, text: string): Promise<void> =>
  until(() => container.textContent === text);

export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

export interface Counted {
  gemba: Gemba;
  /** The subscriptions at this moment, and all so far, by observable and id. */
  live: Record<string, number>;
  total: Record<string, number>;
}

/** Returns the engine with observables that count their subscriptions. */
export function counted(gemba: Gemba): Counted {
  const live: Record<string, number> = {};
  const total: Record<string, number> = {};
  const count = <Value>(name: string, source$: Observable<Value>): Observable<Value> =>
    defer(() => {
      live[name] = (live[name] ?? 0) + 1;
      total[name] = (total[name] ?? 0) + 1;
      return source$.pipe(finalize(() => (live[name] = (live[name] ?? 0) - 1)));
    });
  const counting: Gemba = {
    ...gemba,
    maps$: count('maps$', gemba.maps$),
    status$: count('status$', gemba.status$),
    map$: (id) => count(`map$ ${id}`, gemba.map$(id)),
    custody$: (session) => count(`custody$ ${session}`, gemba.custody$(session)),
  };
  return { gemba: counting, live, total };
}

export const sum = (counts: Record<string, number>): number => Object.values(counts).reduce((all, one) => all + one, 0);
