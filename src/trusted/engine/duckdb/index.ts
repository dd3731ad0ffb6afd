export { duckdbDatabase } from './database.ts'
