import type { Mechanism } from '../mechanism.ts'
import { pairsMechanism } from '../shipped/pairs.ts'

/** The shipped method on the shipped meter; but what its scores are told is not what was sold. */
export const exactScoresControl: Mechanism = pairsMechanism(
  {
    name: 'synth-pairs-exact-scores',
    kind: 'control',
    about: 'all pairs whose coarseness is chosen by distances without noise',
  },
  'rho',
  'exact scores',
)
