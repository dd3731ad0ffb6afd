export { laplace } from './laplace/index.ts'
export { addNoise } from './noise.ts'
export { type NoisePaths, openPaths, type Refinement, type Revealed, refine } from './refinement/index.ts'
