export { type Candidates, selectFurthest } from './furthest.ts'
export { select } from './select.ts'
