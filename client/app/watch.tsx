// Import start.tsx first: its styles are the base that the styles of the views override.
import { startApp } from './start.tsx';
import { Watch } from './watch/watch.tsx';

startApp('watch', Watch);
