// Its styles come first.
import { start } from './start.tsx';
import { Watch } from './watch/watch.tsx';

start('watch', Watch);
