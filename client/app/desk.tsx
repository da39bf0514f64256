// start.tsx must come first, since the views' styles override its base styles.
import { startApp } from './start.tsx';
import { Desk } from './desk/desk.tsx';
import { inspector } from './desk/lazy-inspector.ts';

startApp('desk', Desk, { inspector });
