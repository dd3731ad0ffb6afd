export { select } from './select.ts'
