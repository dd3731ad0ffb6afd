import type { Integers, NoiseLaw } from '../../query/index.ts'
import type { Exact } from '../exact/index.ts'
import { open } from '../exact/open.ts'
import { gaussian } from './gaussian/index.ts'
import { laplace } from './laplace/index.ts'

/**
 * Blurs an exact answer as its law says; the only way out of an Exact. The meter has charged for it. `none` is the
 * law of what is public anyway: accounting refuses to price it for anything else.
 */
export function addNoise(exact: Exact<Integers>, law: NoiseLaw): Integers {
  switch (law.kind) {
    case 'laplace':
      return laplace(exact, law.scale)
    case 'none':
      // A copy: the answers of one batch may share their memory.
      return open(exact).slice()
    case 'gaussian':
      return gaussian(exact, law.variance)
  }
}
