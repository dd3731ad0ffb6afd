export { type NoisePaths, openPaths, type Revealed } from './paths.ts'
export { type Refinement, refine } from './refine.ts'
export { type Scales, upward } from './scales.ts'
