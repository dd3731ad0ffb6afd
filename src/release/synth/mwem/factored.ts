import { FactoredModel } from '../../../model/index.ts'
import { usage } from '../../../schema/index.ts'
import type { SynthMethod } from '../method.ts'
import { mwem } from './mwem.ts'
import type { MwemRequest } from './request.ts'

/** MWEM with a model in parts that measurements join, also where every cell would have room. */
export const factored: SynthMethod<MwemRequest> = {
  plan: (request, terms) => mwem.plan(inParts(request), terms),
  make: (request, context) => mwem.make(inParts(request), context),
}

function inParts({ fitting, ...request }: MwemRequest): MwemRequest {
  if (fitting === 'smooth')
    throw usage('a factored model is fitted once or by replay', 'The method mwem supports a smooth fit.')
  return {
    ...request,
    model: (universe, records) => new FactoredModel(universe, records, { ...(fitting && { fitting }) }),
  }
}
