export type { Engine, Snapshot } from './engine.ts'
export { type EngineOptions, openEngine } from './open.ts'
export { needsBigInts } from './sql/index.ts'
