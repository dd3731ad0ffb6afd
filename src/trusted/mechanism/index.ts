export { select, selectFurthest } from './exponential/index.ts'
export { gaussian } from './gaussian/index.ts'
export { laplace } from './laplace/index.ts'
export { addNoise } from './noise.ts'
export {
  type NoisePaths,
  openPaths,
  type Refinement,
  type Revealed,
  refine,
  type Scales,
  upward,
} from './refinement/index.ts'
export { noisyDistance } from './score.ts'
