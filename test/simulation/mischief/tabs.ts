/** Opens, closes, freezes, wakes and kills tabs of a device. */
import { pickOne, randomBelow } from '../../random.ts';
import type { FleetDevice } from '../fleet/device.ts';
import type { Simulation } from '../fleet/simulation.ts';

const tabsMax = 3;
const faultPointsPerTabMax = 30;

export async function actOnTabs(simulation: Simulation, device: FleetDevice): Promise<void> {
  const { random } = simulation;
  const { name, tabs } = device;
  if (simulation.setting.scopes.length > 0) return;
  const running = tabs.all.filter((tab) => !tab.faults.dead && !tab.isFrozen);
  const act = running.length < 2 ? 'opens' : pickOne(random, acts);
  const tab = running.length > 0 ? pickOne(random, running) : undefined;
  const place = tab ? `tab ${tabs.all.indexOf(tab) + 1} of ${name}` : name;
  switch (act) {
    case 'opens': {
      if (tabs.size >= tabsMax || !device.isOpen) return tabs.thaw();
      const dieAt = random() < simulation.setting.crashRate ? 1 + randomBelow(random, faultPointsPerTabMax) : undefined;
      simulation.say(`${name} opens one more tab${dieAt === undefined ? '' : `, to die at point ${dieAt}`}`);
      return device.openTab(dieAt);
    }
    case 'freezes':
      if (!tab) return;
      simulation.meet('frozen tab');
      simulation.say(`the ${place} freezes`);
      tab.isFrozen = true;
      // The others have to do without it, if it led.
      return device.sync();
    case 'wakes':
      simulation.say(`the tabs of ${name} wake`);
      return tabs.thaw();
    case 'is killed':
      if (!tab) return;
      simulation.meet('killed tab');
      simulation.say(`the ${place} is killed`);
      return tabs.kill(tab);
    case 'dies after a commit':
      if (!tab) return;
      simulation.meet('tab that died after a commit');
      simulation.say(`the ${place} is to die between a commit and its word to the others`);
      tab.diesUntold = true;
      return;
    case 'is closed':
      if (!tab) return;
      simulation.say(`the ${place} is closed`);
      return device.closeTab(tab);
  }
}

const acts = ['opens', 'freezes', 'freezes', 'wakes', 'is killed', 'dies after a commit', 'is closed'] as const;
