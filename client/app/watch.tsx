// start.tsx must come first, since the views' styles override its base styles.
import { startApp } from './start.tsx';
import { createHandOver } from '../client.ts';
import { setRelayParts } from './shell/relay.ts';
import { Watch } from './watch/watch.tsx';
import { loadWatchTexts } from './text/watch.ts';

setRelayParts({ handOver: createHandOver() });
void startApp('watch', Watch, loadWatchTexts);
