// Its styles come first.
import { start } from './start.tsx';
import { Phone } from './phone/phone.tsx';

start('phone', Phone);
