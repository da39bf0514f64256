/** Acts with codes: a carrier reads a watch's screen, and a person types the receipt into a watch. */
import { pickOne, randomBelow } from '../../random.ts';
import type { RelaySimulation } from './relay-simulation.ts';
import type { SimCarrier } from './sim-carrier.ts';
import type { SimWatch } from './sim-watch.ts';

/** A person holds the phone before the screen for so many cycles. */
const cyclesMax = 3;
/** The share of codes that the camera does not catch. */
const missedShare = 0.3;
const mistypedShare = 0.2;

interface Meeting {
  watch: SimWatch;
  carrier: SimCarrier;
}

const draw = ({ random, watches, carriers }: RelaySimulation): Meeting => ({
  watch: pickOne(random, watches),
  carrier: pickOne(random, carriers),
});

/** Lets a carrier read what a watch shows. Either may die meanwhile, and the camera misses codes. */
export async function readScreen(simulation: RelaySimulation): Promise<void> {
  const { watch, carrier } = draw(simulation);
  const screen = await watch.attempt(() => watch.handOver.showCodes());
  if (!screen) return;
  const { random } = simulation;
  const reader = await carrier.readCodes();
  const diesAt = random() < simulation.faultRate ? randomBelow(random, 2 * screen.count) : undefined;
  let read = 0;
  for (let cycle = 0; cycle < cyclesMax; cycle++) {
    for (const text of screen.cycle(cycle)) {
      if (random() >= missedShare) await reader.add(text);
      if (read++ === diesAt) return simulation.die(pickOne(random, [watch, carrier]));
    }
  }
  await watch.attempt(() => screen.rememberHolder());
  simulation.say(`${carrier.name} reads ${read} codes of ${watch.name}`);
}

/** Types a receipt that a carrier shows into a watch, which may be another's. */
export async function typeReceipt(simulation: RelaySimulation): Promise<void> {
  const { watch, carrier } = draw(simulation);
  const receipts = carrier.shownCodes.flatMap(({ receipt }) => receipt ?? []);
  if (receipts.length === 0) return;
  const { random } = simulation;
  const receipt = pickOne(random, receipts);
  const typed = random() < mistypedShare ? mistype(receipt) : receipt;
  const entry = await watch.attempt(() => watch.handOver.enterReceipt(typed));
  const isTaken = entry?.kind === 'arrived' || entry?.kind === 'attention';
  if (typed !== receipt && isTaken) simulation.fail(`${watch.name} takes a receipt that nobody gave`);
  simulation.say(`a receipt of ${carrier.name} is typed into ${watch.name}: ${entry?.kind}`);
}

/** Changes the last character, which is one of 32. */
const mistype = (receipt: string): string => receipt.slice(0, -1) + (receipt.endsWith('7') ? '8' : '7');
