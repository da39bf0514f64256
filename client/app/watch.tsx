// Its styles come first.
import { start } from './shell/start.tsx';
import { Watch } from './watch/watch.tsx';

start('watch', Watch);
