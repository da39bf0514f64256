/** Whether the app can be put among the apps of the device: by the browser's own prompt, kept until somebody wants it, or by hand. */
import { BehaviorSubject } from 'rxjs';

/** by-hand: an iPhone or iPad, whose browser has no prompt. */
export const install$ = new BehaviorSubject<'none' | 'prompt' | 'by-hand'>('none');

let prompt: InstallPrompt | undefined;

/** From the first moment on: the browser offers it once. */
export function startInstall(): void {
  if (matchMedia('(display-mode: standalone)').matches) return;
  // Only there is the property, and false outside an installed app.
  if ((navigator as { standalone?: boolean }).standalone === false) install$.next('by-hand');
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    prompt = event as InstallPrompt;
    install$.next('prompt');
  });
  addEventListener('appinstalled', () => install$.next('none'));
}

/** It can be shown once; should it be declined, the browser says when again. */
export function install(): void {
  install$.next('none');
  void prompt?.prompt();
}

interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}
