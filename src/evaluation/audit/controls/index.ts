import type { Mechanism } from '../mechanism.ts'
import { exactScoresControl } from './exact-scores.ts'
import { floatLaplaceControl } from './float-laplace.ts'
import { halfCountedSelectionControl } from './half-counted-selection.ts'
import { halfGaussianControl } from './half-gaussian.ts'
import { offByOneControl, shortScaleControl } from './miscalibrated.ts'
import { mwemRoundControls, mwemSelectionControl } from './mwem-selection.ts'
import { noiseDownControl } from './noise-down.ts'
import { proportionalControl } from './proportional.ts'
import { twiceRefinedControl } from './twice-refined.ts'

/** Mechanisms that break their claims. They show that the auditor sees; nothing but the auditor may import them. */
export const controls: readonly Mechanism[] = [
  noiseDownControl,
  floatLaplaceControl,
  mwemSelectionControl,
  ...mwemRoundControls,
  halfCountedSelectionControl,
  proportionalControl,
  shortScaleControl,
  offByOneControl,
  halfGaussianControl,
  twiceRefinedControl,
  exactScoresControl,
]
