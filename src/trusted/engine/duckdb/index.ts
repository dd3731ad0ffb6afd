export { type DuckOptions, openDuckdb } from './engine.ts'
