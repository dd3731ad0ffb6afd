export type {
  Floor,
  MarginalsContext,
  MarginalsRequest,
  MeasuredMarginal,
  MeasuredMarginals,
  Method,
  Records,
} from './marginals/request.ts'
export type {
  Bought,
  Draw,
  Draws,
  DrawsRequest,
  Meter,
  Noise,
  Purchase,
  Revealed,
  Run,
  RunRequest,
} from './meter.ts'
export { type TreeShape, treeLevels } from './tree/levels.ts'
export { releaseTree } from './tree/release.ts'
