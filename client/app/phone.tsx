// The styles of start.tsx come before those of the views.
import { start } from './start.tsx';
import { Phone } from './phone/phone.tsx';

start('phone', Phone);
