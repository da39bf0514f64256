// start.tsx must come first, since the views' styles override its base styles.
import { startApp } from './start.tsx';
import { Phone } from './phone/phone.tsx';
import { carrier, handOver } from './shell/relay.ts';

startApp('phone', Phone, { carrier, handOver });
