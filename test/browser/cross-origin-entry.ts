/** The test page of the package's engine, which checks its options and its address. */
import { firstValueFrom } from 'rxjs';
import { filter } from 'rxjs/operators';
import { openGemba } from '../../client/entries/gemba.ts';

window.openGemba = openGemba;
window.eventually = (of$, holds) => firstValueFrom(of$.pipe(filter(holds)));
