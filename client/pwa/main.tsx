/** Where the app begins: one page, two faces. */
import './base.css';
import './components/components.css';
import './app.css';
import { render } from 'preact';
import { App, viewOf } from './app.tsx';
import { faceOf, openEngine } from './engine.tsx';
import { startInstall } from './install/install.ts';

const face = faceOf(location.pathname);
// Both begin before anything is drawn, and what is drawn first comes first.
const view = viewOf(face);
const opening = openEngine(face);
startInstall();
document.documentElement.classList.add(`face-${face}`);
render(<App face={face} view={view} opening={opening} />, document.getElementById('app')!);
