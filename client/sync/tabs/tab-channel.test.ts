import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { tabChannel, type TabMessage } from './tab-channel.ts';

test('[TABS-9] what a tab of another version of the app says, and cannot be understood, is not heard', async () => {
  const name = randomUUID();
  const other = new BroadcastChannel(name);
  const channel = tabChannel(new BroadcastChannel(name));
  onTestFinished(() => {
    other.close();
    channel.close();
  });
  const heard: TabMessage[] = [];
  const leads = new Promise<void>((resolve) => {
    channel.listen((message) => {
      heard.push(message);
      if (message.type === 'leads') resolve();
    });
  });
  const odd = [null, 'hello', {}, { type: 'told' }, { type: 'told', told: { state: {} } }, { type: 'ask' }];
  for (const message of [...odd, { type: 'sings' }, { type: 'ask', id: 'a' }, { type: 'leads' }]) {
    other.postMessage(message);
  }
  await leads;
  expect(heard).toEqual([{ type: 'ask', id: 'a' }, { type: 'leads' }]);
});
