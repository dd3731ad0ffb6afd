import { independent } from './independent/independent.ts'
import { maxent } from './maxent/maxent.ts'
import type { SynthMethod } from './method.ts'
import { factored } from './mwem/factored.ts'
import { mwem } from './mwem/mwem.ts'
import { pairs } from './pairs/pairs.ts'

/** What only some methods take. */
type MethodOption = 'queries' | 'rounds' | 'startShare' | 'fitting' | 'output' | 'ways' | 'marginals' | 'priorShare'

/** A method, and which of the options that only some methods have it takes. */
interface Entry {
  readonly method: SynthMethod
  readonly takes: { readonly [option in MethodOption]?: true }
  /** Whether what it measures must depend on the data, which guards of a policy never allow. */
  readonly chooses?: true
}

/** Every way to make a synthetic table, by the name that people choose it by. */
export const synthMethods = {
  pairs: { method: pairs, takes: { queries: true } },
  mwem: {
    method: mwem,
    takes: { queries: true, rounds: true, startShare: true, fitting: true, output: true },
    chooses: true,
  },
  factored: { method: factored, takes: { queries: true, rounds: true, fitting: true }, chooses: true },
  maxent: { method: maxent, takes: { ways: true, marginals: true, priorShare: true } },
  independent: { method: independent, takes: {} },
} satisfies { readonly [name: string]: Entry }

export type SynthMethodName = keyof typeof synthMethods

export const synthMethodNamed = (name: SynthMethodName): Entry => synthMethods[name]
