export { laplace } from './laplace/index.ts'
export { addNoise } from './noise.ts'
