import { named } from '../named.ts'
import { controls } from './controls/index.ts'
import type { Mechanism } from './mechanism.ts'
import { askMechanisms } from './shipped/ask.ts'
import { choiceMechanisms } from './shipped/choices.ts'
import { gaussianMechanisms } from './shipped/gaussian.ts'
import { laplaceMechanisms } from './shipped/laplace.ts'
import { marginalsMechanisms } from './shipped/marginals.ts'
import { meterMechanisms } from './shipped/meter.ts'
import { mwemMechanisms } from './shipped/mwem.ts'
import { pairsMechanisms } from './shipped/pairs.ts'
import { refinementMechanisms } from './shipped/refinement.ts'
import { selectMechanism } from './shipped/select.ts'

/** Everything that can be audited: what is shipped first, then the controls. */
export const mechanisms: readonly Mechanism[] = [
  ...laplaceMechanisms,
  ...gaussianMechanisms,
  selectMechanism,
  ...refinementMechanisms,
  ...askMechanisms,
  ...meterMechanisms,
  ...choiceMechanisms,
  ...marginalsMechanisms,
  ...pairsMechanisms,
  ...mwemMechanisms,
  ...controls,
]

/** The mechanism of this name; throws with the nearest one and the list. */
export const mechanismNamed = (name: string): Mechanism => named('mechanism', mechanisms, name)
