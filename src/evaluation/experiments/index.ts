export type { Outcome } from './experiment.ts'
export { experimentNamed, experiments } from './registry.ts'
export { chart } from './svg.ts'
