import type { NetworkInterfaceInfo } from 'node:os';
import { expect, test } from 'vitest';
import { listAddressesForPhones, phoneUrlOf } from './phone-address.ts';

const at = (address: string, family: 'IPv4' | 'IPv6', internal = false): NetworkInterfaceInfo =>
  ({ address, family, internal, netmask: '', mac: '', cidr: null, scopeid: 0 }) as NetworkInterfaceInfo;
const interfaces = {
  lo: [at('127.0.0.1', 'IPv4', true)],
  eth0: [at('fe80::1', 'IPv6'), at('192.168.1.20', 'IPv4')],
};

test('[SERVER-16] the addresses for phones begin with the one of the network of a home or a workshop', () => {
  expect(listAddressesForPhones('0.0.0.0', interfaces)).toEqual(['192.168.1.20']);
  expect(listAddressesForPhones('::', interfaces)).toEqual(['192.168.1.20']);
  expect(listAddressesForPhones('10.0.0.7', interfaces)).toEqual(['10.0.0.7']);
  expect(listAddressesForPhones('0.0.0.0', { lo: interfaces.lo })).toEqual([]);
  const many = {
    docker0: [at('172.17.0.1', 'IPv4')],
    'br-4f2a': [at('192.168.96.1', 'IPv4')],
    usb0: [at('169.254.11.5', 'IPv4')],
    eno1: [at('10.20.0.4', 'IPv4')],
    wlan0: [at('192.168.1.20', 'IPv4')],
    'vEthernet (WSL)': [at('172.28.32.1', 'IPv4')],
  };
  expect(listAddressesForPhones('0.0.0.0', many)).toEqual([
    '192.168.1.20',
    '10.20.0.4',
    '169.254.11.5',
    '192.168.96.1',
    '172.17.0.1',
    '172.28.32.1',
  ]);
});

test('[SERVER-17] the start says what a phone still needs', () => {
  const secure = { url: 'https://0.0.0.0:8080', host: '0.0.0.0', port: 8080 };
  expect(phoneUrlOf(secure, interfaces)).toEqual({ url: 'https://192.168.1.20:8080', isForPhones: true, hint: '' });
  expect(phoneUrlOf({ ...secure, url: 'http://0.0.0.0:8080' }, interfaces)).toMatchObject({
    url: 'http://192.168.1.20:8080',
    hint: expect.stringContaining('needs HTTPS'),
  });
  const two = { ...interfaces, eth1: [at('10.0.0.4', 'IPv4')] };
  expect(phoneUrlOf(secure, two).hint).toContain('cannot open this one: 10.0.0.4');
  for (const host of ['127.0.0.1', 'localhost', '::1']) {
    const loopback = { url: 'http://127.0.0.1:8080', host, port: 8080 };
    expect(phoneUrlOf(loopback, interfaces)).toEqual({
      url: 'http://127.0.0.1:8080',
      isForPhones: false,
      hint: expect.stringContaining('HOST=0.0.0.0 npm start, and they open https://192.168.1.20:8080'),
    });
  }
  expect(phoneUrlOf({ ...secure, url: 'https://localhost:8080' }, { lo: interfaces.lo }).isForPhones).toBe(false);
});

test('[SERVER-17] a machine with a public address alone is not told to open itself to the internet', () => {
  const loopback = { url: 'http://127.0.0.1:8080', host: '127.0.0.1', port: 8080 };
  const { hint } = phoneUrlOf(loopback, { eth0: [at('203.0.113.5', 'IPv4')] });
  expect(hint).toContain('Its address 203.0.113.5 is a public address');
  expect(hint).not.toContain('0.0.0.0');
});
