export { gaussian } from './gaussian.ts'
