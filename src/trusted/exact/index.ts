export type { Exact } from './exact.ts'
