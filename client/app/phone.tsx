// Import start.tsx first: its styles are the base that the styles of the views override.
import { startApp } from './start.tsx';
import { Phone } from './phone/phone.tsx';

startApp('phone', Phone);
