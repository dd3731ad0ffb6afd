export type { Engine } from './engine.ts'
