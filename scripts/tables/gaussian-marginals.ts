import { laplaceVariance, rational } from '../../src/numeric/index.ts'
import { rhoCap } from '../../src/trusted/accounting/index.ts'
import { type PageTable, three } from './page-table.ts'

/** So many tables share what there is. */
const pairs = 36

/** What noise ρ buys for 36 marginals where records come and go: each costs 1/2σ². */
export const gaussianMarginalsTable: PageTable = {
  page: 'docs/algorithms/gaussian-marginals.md',
  header: ['36 pairs of attributes, add-remove, (1, 10⁻⁹), so ρ = 0.01497', 'standard deviation of the noise'],
  make: async () => {
    const rho = rhoCap(rational(1), rational(1, 1_000_000_000)) / 1e12
    const epsilon = Math.sqrt(2 * rho)
    const gaussian = (share: number) => Math.sqrt(pairs / (2 * share * rho))
    return [
      [`Laplace noise, held as ε²/2 in ρ: ε = ${three(epsilon)}`, three(Math.sqrt(laplaceVariance(pairs / epsilon)))],
      ['Gaussian noise', three(gaussian(1))],
      ['the same, with 2% of ρ for the number of records', three(gaussian(0.98))],
    ]
  },
}
