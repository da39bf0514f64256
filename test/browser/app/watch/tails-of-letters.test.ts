/** The tails of letters in the names of a watch. Real server process, real Chromium. */
import { expect, test } from 'vitest';
import { inPage } from '../../in-page.ts';
import { appServer } from '../app-server.ts';
import { builtApp } from '../built-app.ts';
import { openDevice, pair } from '../devices.ts';
import { atWorkersPace, button, finish, heading, nextStep } from '../locators.ts';
import { more, smallestWatch } from '../watch-page.ts';

const app = builtApp();

test('[APP-526] the tails of letters are whole in each name', async () => {
  const long = 'Jagging jig yoghurt piggy, gypsy junky jolly pages';
  const server = await appServer(app.folder);
  const steps = ['Piggy jig', long].map((stage_name, order) => ({ stage_name, duration_secs: 40, order }));
  await server.rest.send('POST', '/recording/new', { name: 'Saw', steps });
  const { page } = await openDevice(smallestWatch);
  await pair(page, await server.newLink('wearable'));
  await button(page, 'Saw').click();
  const expectTails = async () => expect(await inPage(page, findCutTails)).toEqual([]);
  await nextStep(page, 'Piggy jig').waitFor();
  await expectTails();
  await nextStep(page, 'Piggy jig').click();
  await heading(page, 'Piggy jig').waitFor();
  await expectTails();
  await more(page).click();
  await expectTails();
  await button(page, 'Edit Piggy jig').click();
  await button(page, 'Rename').waitFor();
  await expectTails();
  await button(page, 'Back').click();
  await atWorkersPace(page);
  await nextStep(page, long).click();
  await heading(page, long).waitFor();
  await expectTails();
  await finish(page);
  await page.getByRole('list', { name: 'Steps' }).waitFor();
  await expectTails();
});

/** Returns the names whose last line in sight has tails below the element that cuts them. */
function findCutTails(): string[] {
  const canvas = document.createElement('canvas').getContext('2d');
  return [...document.querySelectorAll('[dir=auto], .watch-name, .watch-next > span')]
    .filter((element) => {
      const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
      const { fontSize, fontWeight, fontFamily, overflowY } = getComputedStyle(element);
      if (!canvas || !text || overflowY === 'visible') return false;
      canvas.font = `${fontWeight} ${fontSize} ${fontFamily}`;
      const range = document.createRange();
      range.selectNodeContents(element);
      const box = element.getBoundingClientRect();
      const { fontBoundingBoxAscent, fontBoundingBoxDescent, actualBoundingBoxDescent } = canvas.measureText('gjpqy');
      // The box of a line of text ends at the descent of its font, below which the tails never reach.
      const tails = [...range.getClientRects()]
        .filter(({ top, bottom }) => (top + bottom) / 2 < box.bottom)
        .map(
          ({ top, height }) =>
            top +
            (height * (fontBoundingBoxAscent + actualBoundingBoxDescent)) /
              (fontBoundingBoxAscent + fontBoundingBoxDescent),
        );
      return Math.max(...tails) > box.bottom + 0.5;
    })
    .map((element) => element.textContent.slice(0, 20));
}
