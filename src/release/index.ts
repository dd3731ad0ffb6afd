export type { Meter, Noise, Purchase } from './meter.ts'
export { type TreeShape, treeLevels } from './tree/levels.ts'
export { releaseTree } from './tree/release.ts'
