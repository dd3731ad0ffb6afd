export { type Bits, secretBytes, systemBits } from './bits.ts'
