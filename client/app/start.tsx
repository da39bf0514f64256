import './ui/styles/base.css';
import './ui/styles/components.css';
import './app.css';
import { render, type FunctionComponent } from 'preact';
import { App } from './app.tsx';
import { openFaceEngine, type Face } from './shell/engine.tsx';
import { startInstallOffer } from './shell/install.ts';

export function startApp(face: Face, View: FunctionComponent): void {
  const opening = openFaceEngine(face);
  startInstallOffer();
  document.documentElement.classList.add(`face-${face}`);
  const root = document.getElementById('app');
  if (!root) throw new Error('The page has no #app');
  render(<App face={face} View={View} opening={opening} />, root);
}
