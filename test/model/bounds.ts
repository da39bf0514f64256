/** The bounds within which the model is explored: by the tests to `statesMax`, and by `npm run model` to their end. */
import type { Bound } from './state.ts';

const noFaults = { crashes: 0, losses: 0, late: 0, restores: 0, copies: 0 };

export const bounds: Record<string, { bound: Bound; statesMax: number }> = {
  'two devices': {
    bound: { ...noFaults, devices: 2, mutations: ['recording', 'change', 'refused'], crashes: 1, losses: 1 },
    statesMax: 2_500,
  },
  'a late request': {
    bound: { ...noFaults, devices: 1, mutations: ['change', 'recording', 'change'], crashes: 2, losses: 1, late: 1 },
    statesMax: 2_500,
  },
  'a copied device': {
    bound: {
      ...noFaults,
      devices: 1,
      mutations: ['recording', 'change', 'recording'],
      crashes: 1,
      losses: 1,
      copies: 1,
    },
    statesMax: 2_500,
  },
  'a copied refusal': {
    bound: { ...noFaults, devices: 1, mutations: ['refused', 'change'], copies: 1 },
    statesMax: 4_000,
  },
  'copies at a restore': {
    bound: { ...noFaults, devices: 1, mutations: ['change', 'change'], restores: 1, copies: 1 },
    statesMax: 6_000,
  },
  'a restored server': {
    bound: {
      ...noFaults,
      devices: 1,
      mutations: ['recording', 'recording', 'change'],
      crashes: 2,
      losses: 1,
      restores: 1,
    },
    statesMax: 2_500,
  },
  'pages and a restore': {
    bound: {
      ...noFaults,
      devices: 2,
      mutations: ['recording', 'refused recording', 'recording'],
      crashes: 1,
      restores: 1,
      pageMax: 1,
    },
    statesMax: 2_500,
  },
  'three devices': {
    bound: {
      ...noFaults,
      devices: 3,
      mutations: ['recording', 'refused recording', 'change'],
      crashes: 2,
      restores: 1,
      copies: 1,
    },
    statesMax: 2_500,
  },
  'all of it': {
    bound: {
      devices: 2,
      mutations: ['recording', 'change', 'recording'],
      crashes: 2,
      losses: 2,
      late: 1,
      restores: 1,
      copies: 1,
    },
    statesMax: 2_500,
  },
};
