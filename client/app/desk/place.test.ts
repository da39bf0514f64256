import { expect, test } from 'vitest';
import { comparedRunIdsAt, placeAt } from './place.ts';

const detailOf = (path: string, hasBack = false) => ({ path, closeTo: '/maps/m1', hasBack });

test.each([
  ['/', { is: 'panes' }],
  ['/maps', { is: 'panes' }],
  ['/maps/m1', { is: 'panes', mapId: 'm1' }],
  ['/maps/m1/runs', { is: 'panes', mapId: 'm1' }],
  ['/maps/m1/choose/7,9', { is: 'panes', mapId: 'm1' }],
  ['/maps/m1/runs/7', { is: 'panes', mapId: 'm1', detail: detailOf('/maps/m1/runs/7') }],
  ['/maps/m1/runs/7/steps', { is: 'panes', mapId: 'm1', detail: detailOf('/maps/m1/runs/7/steps', true) }],
  ['/maps/m1/compare/7,9', { is: 'panes', mapId: 'm1', detail: detailOf('/maps/m1/compare/7,9') }],
  ['/maps/m1/beside/m2', { is: 'panes', mapId: 'm1', detail: detailOf('/maps/m1/beside/m2') }],
  ['/record', { is: 'panes', mapId: 'm1', detail: detailOf('/record') }],
  ['/maps/bin', { is: 'page', hasBack: true }],
  ['/sync', { is: 'page', hasBack: false }],
  ['/devices/keys', { is: 'page', hasBack: true }],
  ['/account', { is: 'page', hasBack: false }],
  ['/elsewhere/too', { is: 'page', hasBack: true }],
])('[APP-211] the desk at %s', (path, place) => {
  expect(placeAt(path, 'm1')).toEqual(place);
});

test('[APP-211] without a recording, the record screen has no map beside it', () => {
  expect(placeAt('/record', undefined)).toEqual({
    is: 'panes',
    detail: { path: '/record', closeTo: '/', hasBack: false },
  });
});

test('[APP-215] the runs of a comparison are marked, whatever else stands in the address', () => {
  expect(comparedRunIdsAt('/maps/m1/compare/7,9')).toEqual([7, 9]);
  expect(comparedRunIdsAt('/maps/m1/compare/7,x')).toEqual([7]);
  expect(comparedRunIdsAt('/maps/m1')).toEqual([]);
});
