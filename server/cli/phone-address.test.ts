import type { NetworkInterfaceInfo } from 'node:os';
import { expect, test } from 'vitest';
import { addressForPhones, phoneSetupHint } from './phone-address.ts';

const at = (address: string, family: 'IPv4' | 'IPv6', internal = false): NetworkInterfaceInfo =>
  ({ address, family, internal, netmask: '', mac: '', cidr: null, scopeid: 0 }) as NetworkInterfaceInfo;
const interfaces = {
  lo: [at('127.0.0.1', 'IPv4', true)],
  eth0: [at('fe80::1', 'IPv6'), at('192.168.1.20', 'IPv4')],
};

test('[SERVER-16] the link for phones has the address of the machine in its network', () => {
  expect(addressForPhones('0.0.0.0', interfaces)).toBe('192.168.1.20');
  expect(addressForPhones('::', interfaces)).toBe('192.168.1.20');
  expect(addressForPhones('10.0.0.7', interfaces)).toBe('10.0.0.7');
  expect(addressForPhones('0.0.0.0', { lo: interfaces.lo })).toBeUndefined();
  for (const host of ['127.0.0.1', 'localhost', '::1']) expect(addressForPhones(host, interfaces)).toBeUndefined();
});

test('[SERVER-17] the start says what a phone still needs', () => {
  expect(phoneSetupHint({ isReachable: true, isSecure: true })).toBe('');
  expect(phoneSetupHint({ isReachable: true, isSecure: false })).toContain('needs HTTPS');
  expect(phoneSetupHint({ isReachable: false, isSecure: false })).toContain('cannot reach this machine');
});
