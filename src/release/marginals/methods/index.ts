import { usage } from '../../../schema/index.ts'
import type { ReleaseMethod } from '../method.ts'
import type { Wanted } from '../request.ts'
import { gaussian } from './gaussian.ts'
import { ireduct } from './ireduct.ts'
import { iresamp } from './iresamp.ts'
import { laplace } from './laplace.ts'
import { twoPhase } from './two-phase.ts'

/** Every method, by the name that people choose it by. */
export const methods = { ireduct, gaussian, laplace, 'two-phase': twoPhase, iresamp } satisfies Record<
  string,
  ReleaseMethod
>

/** How noise is shared out between the marginals (iReduct paper: §4, Dwork et al., §3.2, Appendix A; or Gaussian). */
export type MethodName = keyof typeof methods

/** Which marginals to measure, how, and what for. */
export interface MarginalsRequest extends Wanted {
  readonly method: MethodName
}

export const methodNamed = (name: MethodName): ReleaseMethod => methods[name]

/** The method of a request; refuses one that cannot be paid in what there is. */
export function methodOf({ method, budget }: Pick<MarginalsRequest, 'method' | 'budget'>): ReleaseMethod {
  if (methodNamed(method).pays.includes(budget.rho ? 'rho' : 'epsilon')) return methodNamed(method)
  throw usage(`${method} cannot be paid for in ${budget.rho ? 'ρ' : 'plain ε'}`)
}

/** Whether anything depends on the number of records: scales may, and a floor that is a share of it does. */
export const needsRecords = ({ method, floor }: Pick<MarginalsRequest, 'method' | 'floor'>): boolean =>
  methodNamed(method).needs.records === true || floor.kind === 'share'
