// The styles of start.tsx come before those of the views.
import { start } from './start.tsx';
import { Watch } from './watch/watch.tsx';

start('watch', Watch);
