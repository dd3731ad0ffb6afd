export type { Engine, Snapshot } from './engine.ts'
export { openEngine } from './open.ts'
export { needsBigInts } from './sql/index.ts'
export { StoppableEngine } from './stoppable.ts'
