/** Where the app begins: one page, two faces. */
import './base.css';
import './components/components.css';
import './app.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { faceOf } from './engine.tsx';

const face = faceOf(location.pathname);
document.documentElement.classList.add(`face-${face}`);
render(<App face={face} />, document.getElementById('app')!);
