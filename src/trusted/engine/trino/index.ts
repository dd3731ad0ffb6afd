export { trinoDatabase } from './database.ts'
