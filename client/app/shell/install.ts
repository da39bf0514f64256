/** Offers to install the app: by the browser's own prompt, which is kept until a person asks for it, or by hand. */
import { BehaviorSubject } from 'rxjs';

/** `by-hand`: Safari on an iPhone or iPad has no prompt. */
export const install$ = new BehaviorSubject<'none' | 'prompt' | 'by-hand'>('none');

let prompt: InstallPrompt | undefined;

/** Runs before the first render, since the browser offers its prompt once. */
export function startInstall(): void {
  if (matchMedia('(display-mode: standalone)').matches) return;
  // Safari on iOS alone has this property; it is false outside an installed app.
  if (navigator.standalone === false) install$.next('by-hand');
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    prompt = event;
    install$.next('prompt');
  });
  addEventListener('appinstalled', () => install$.next('none'));
}

/**
 * Shows the browser's prompt. It can be shown only once; after a refusal the browser decides when to offer it again.
 */
export function install(): void {
  install$.next('none');
  void prompt?.prompt();
}

interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

/** Declares two browser-specific extensions that TypeScript's library lacks. */
declare global {
  interface Navigator {
    standalone?: boolean;
  }
  interface WindowEventMap {
    beforeinstallprompt: InstallPrompt;
  }
}
