// start.tsx must come first, since the views' styles override its base styles.
import { startApp } from './start.tsx';
import { handOver } from './shell/relay.ts';
import { Watch } from './watch/watch.tsx';

startApp('watch', Watch, { handOver });
