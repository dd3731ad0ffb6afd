export { type Candidates, selectFurthest } from './furthest.ts'
export { select } from './select.ts'
export { ToldModel } from './told-model.ts'
