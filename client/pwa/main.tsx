/** Where the app begins: one page, two faces. */
import './base.css';
import './components/components.css';
import './app.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { faceOf, openEngine } from './engine.tsx';
import { startInstall } from './install/install.ts';

const face = faceOf(location.pathname);
// Before anything is drawn: it takes longest.
const opening = openEngine(face);
startInstall();
document.documentElement.classList.add(`face-${face}`);
render(<App face={face} opening={opening} />, document.getElementById('app')!);
