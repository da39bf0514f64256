/** Offers to install the app: with the browser's own prompt, or with instructions for Safari. */
import { BehaviorSubject } from 'rxjs';

/** `by-hand`: Safari on an iPhone or iPad has no prompt, so a person installs the app by the browser's menu. */
export const installOffer$ = new BehaviorSubject<'none' | 'prompt' | 'by-hand'>('none');

let prompt: InstallPrompt | undefined;

/** Must run before the first render, since the browser fires `beforeinstallprompt` only once. */
export function startInstallOffer(): void {
  if (matchMedia('(display-mode: standalone)').matches) return;
  // Only Safari on iOS has `standalone`; false means that the app is not installed.
  if (navigator.standalone === false) installOffer$.next('by-hand');
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    prompt = event;
    installOffer$.next('prompt');
  });
  addEventListener('appinstalled', () => installOffer$.next('none'));
}

/** Shows the browser's prompt, which works only once. */
export function showInstallPrompt(): void {
  installOffer$.next('none');
  void prompt?.prompt();
}

interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

declare global {
  interface Navigator {
    standalone?: boolean;
  }
  interface WindowEventMap {
    beforeinstallprompt: InstallPrompt;
  }
}
