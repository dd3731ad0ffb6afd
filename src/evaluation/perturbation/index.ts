export { flipping } from './flipping.ts'
export type { CodeRange, PerturbedTable } from './perturbed-table.ts'
export { retentionReplacement } from './retention-replacement.ts'
