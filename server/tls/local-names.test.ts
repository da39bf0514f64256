import type { NetworkInterfaceInfo } from 'node:os';
import { expect, test } from 'vitest';
import { ipBytes, maskBytes } from './ip-bytes.ts';
import { listLocalNames } from './local-names.ts';

const at = (address: string, family: 'IPv4' | 'IPv6' = 'IPv4'): NetworkInterfaceInfo =>
  ({
    address,
    family,
    netmask: '',
    mac: '',
    internal: false,
    cidr: null,
    ...(family === 'IPv6' ? { scopeid: 0 } : {}),
  }) as NetworkInterfaceInfo;

test('[SERVER-22] a made certificate has local addresses and names alone, each once, whatever their order', () => {
  const interfaces = {
    wifi: [at('192.168.1.5'), at('fd00:1::5', 'IPv6'), at('fe80::1', 'IPv6'), at('2001:db8::1', 'IPv6')],
    office: [at('10.1.2.3'), at('203.0.113.9')],
  };
  const others = ['0.0.0.0', '10.1.2.3', 'gemba.example', 'Gemba.Home.arpa'];
  const expected = [
    'localhost',
    '127.0.0.1',
    '::1',
    '10.1.2.3',
    'gemba.home.arpa',
    'hall3.local',
    '192.168.1.5',
    'fd00:1::5',
  ];
  expect(listLocalNames({ hostname: 'Hall3', interfaces, others })).toEqual(expected);
  const reversed = { office: interfaces.office, wifi: interfaces.wifi.toReversed() };
  expect(listLocalNames({ hostname: 'Hall3', interfaces: reversed, others })).toEqual(expected);
  expect(listLocalNames({ hostname: 'pc.example', interfaces: {}, others: [] })).toEqual([
    'localhost',
    '127.0.0.1',
    '::1',
  ]);
  expect(listLocalNames({ hostname: 'a b', interfaces: {}, others: [] })).not.toContain('a b.local');
});

test('[SERVER-22] addresses become the bytes that certificates have', () => {
  expect([...ipBytes('192.168.1.5')]).toEqual([192, 168, 1, 5]);
  expect([...ipBytes('::1')]).toEqual([...Array<number>(15).fill(0), 1]);
  expect([...ipBytes('fd00:1::5')]).toEqual([0xfd, 0, 0, 1, ...Array<number>(11).fill(0), 5]);
  expect([...ipBytes('fc00::')].slice(0, 3)).toEqual([0xfc, 0, 0]);
  expect([...ipBytes('1:2:3:4:5:6:7:8')]).toEqual([0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8]);
  expect([...maskBytes(12, 4)]).toEqual([255, 240, 0, 0]);
  expect([...maskBytes(7, 16)].slice(0, 2)).toEqual([254, 0]);
});
