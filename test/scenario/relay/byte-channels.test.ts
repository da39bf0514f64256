/** The channels of these tests, held to the suite that a data channel passes in a browser. */
import { ChannelSide } from './channel-side.ts';
import { byteChannelContract } from './byte-channel-contract.ts';
import { channelKinds } from './channels.ts';

for (const [kind, openPair] of Object.entries(channelKinds)) {
  byteChannelContract({
    kind,
    // A port has no way to make its other side wait.
    isBounded: kind === 'Node streams',
    open: async () => {
      const { near, far } = openPair();
      return { near: new ChannelSide(near), far: new ChannelSide(far) };
    },
  });
}
