// For the owner alone: what these functions tell is exact and private. scripts/arrows.mjs lets cli/ in, and nobody else.

export type { FileReport } from '../sql/index.ts'
export { type AttributeReport, inspectAgainst, type PolicyReport } from './against.ts'
export { draftPolicy } from './draft.ts'
export { inspect } from './inspect.ts'
