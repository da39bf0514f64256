/**
 * Offers to install the app. The browser's own prompt waits here until a person asks for it; Safari needs instructions
 * instead.
 */
import { BehaviorSubject } from 'rxjs';

/** `by-hand`: Safari on an iPhone or iPad has no prompt, so a person installs the app by its menu. */
export const installOffer$ = new BehaviorSubject<'none' | 'prompt' | 'by-hand'>('none');

let prompt: InstallPrompt | undefined;

/** Runs before the first render, since the browser fires `beforeinstallprompt` only once. */
export function startInstall(): void {
  if (matchMedia('(display-mode: standalone)').matches) return;
  // Safari on iOS alone has this property; it is false outside an installed app.
  if (navigator.standalone === false) installOffer$.next('by-hand');
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    prompt = event;
    installOffer$.next('prompt');
  });
  addEventListener('appinstalled', () => installOffer$.next('none'));
}

/**
 * Shows the browser's prompt. Each prompt works once; after a refusal the browser may fire `beforeinstallprompt` again.
 */
export function install(): void {
  installOffer$.next('none');
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
