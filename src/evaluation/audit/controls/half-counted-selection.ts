import { toNumber } from '../../../numeric/index.ts'
import type { Mechanism } from '../mechanism.ts'
import { choicePairs } from '../shipped/choices.ts'
import { epsilon } from '../shipped/people.ts'

/** The meter's own choice, charged by the arXiv version's count. */
export const halfCountedSelectionControl: Mechanism = {
  name: 'meter-select-half-counted',
  kind: 'control',
  about: 'a choice ∝ exp(ε·score/2Δ) through the meter, counted as ε/2: numerator and normaliser both move',
  claim: { epsilon: toNumber(epsilon) / 2, delta: 0 },
  pairs: choicePairs,
}
