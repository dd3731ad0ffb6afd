export { laplace } from './laplace.ts'
