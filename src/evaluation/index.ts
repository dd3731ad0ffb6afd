export { type SeededBits, seededBits } from './seeded.ts'
