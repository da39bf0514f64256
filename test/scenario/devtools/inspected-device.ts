/** Opens a device with an inspector, and gives the parts of its engine to the test, too. */
import { createCarrier, createHandOver, type Gemba } from '../../../client/client.ts';
import { createInspector, type Inspector } from '../../../client/entries/devtools.ts';
import type { InspectedEngine } from '../../../client/inspect/inspected-engine.ts';
import { device, manualSync, network, type Network } from '../../device/devices.ts';
import type { TestServer } from '../../device/test-server.ts';

export interface InspectedDevice {
  phone: Gemba;
  net: Network;
  inspector: Inspector;
  engine: InspectedEngine;
}

/** The device syncs when a test asks it to, and has all parts of the relay. */
export async function inspectedDevice(server: TestServer): Promise<InspectedDevice> {
  const net = network();
  const inspector = createInspector();
  let engine!: InspectedEngine;
  const attach: Inspector['attach'] = (parts, status$) => {
    engine = parts as InspectedEngine;
    inspector.attach(parts, status$);
  };
  const relay = { carrier: createCarrier(), handOver: createHandOver() };
  const token = await server.newAccount();
  const phone = await device({ url: server.url, token, ...manualSync(net), ...relay, inspector: { attach } });
  return { phone, net, inspector, engine };
}
