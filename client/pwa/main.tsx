/** Where the app begins: one page, two faces. */
import './base.css';
import './components/components.css';
import './app.css';
import { render } from 'preact';
import { App, open } from './app.tsx';
import { faceOf } from './engine.tsx';

const face = faceOf(location.pathname);
const opening = open(face);
document.documentElement.classList.add(`face-${face}`);
render(<App face={face} opening={opening} />, document.getElementById('app')!);
