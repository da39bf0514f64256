import './ui/styles/base.css';
import './ui/styles/components.css';
import './app.css';
import { render, type FunctionComponent } from 'preact';
import { App } from './app.tsx';
import { openFaceEngine, type Face, type EngineParts } from './shell/engine.tsx';
import { watchFirstInput } from './shell/first-input.ts';
import { setBasePath } from './shell/router.tsx';
import { startTimeNotation } from './shell/time-notation.ts';
import { startInstallOffer } from './shell/install.ts';
import { setDocumentLanguage } from './text/language.ts';

export function startApp(face: Face, View: FunctionComponent, parts: EngineParts): void {
  if (face === 'desk') setBasePath('/desk');
  const opening = openFaceEngine(face, parts);
  startInstallOffer();
  watchFirstInput();
  startTimeNotation();
  setDocumentLanguage();
  document.documentElement.classList.add(`face-${face}`);
  const root = document.getElementById('app');
  if (!root) throw new Error('The page has no #app');
  root.replaceChildren();
  render(<App face={face} View={View} opening={opening} />, root);
}
