import { Phone } from './phone/phone.tsx';
import { start } from './start.tsx';

start('phone', Phone);
