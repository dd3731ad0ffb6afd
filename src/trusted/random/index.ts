export { type Bits, secretBytes, systemBits } from './bits.ts'
export { discreteLaplace, discreteLaplaces } from './discrete-laplace.ts'
