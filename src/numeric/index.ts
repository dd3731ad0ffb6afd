export { extent, mean, median, sum } from './averages.ts'
export { bisect, firstWhere } from './bisection.ts'
export { type BitRuns, withRuns } from './bits/common-bits.ts'
export { toldDown, toldUp } from './digits.ts'
export {
  gaussianCharacteristic,
  gaussianHalfWidth,
  gaussianPmf,
  gaussianTail,
  gaussianVariance,
} from './discrete-gaussian.ts'
export {
  laplaceCharacteristic,
  laplaceHalfWidth,
  laplacePmf,
  laplaceScale,
  laplaceTail,
  laplaceVariance,
} from './discrete-laplace.ts'
export { convolve, convolveDirectly, powerOfTwo } from './fft.ts'
export { cholesky, extendCholesky } from './linear-algebra/cholesky.ts'
export { type PanelKernel, panelKernel } from './linear-algebra/panel-kernel.ts'
export { addTimes, dot, subtractProducts } from './linear-algebra/products.ts'
export { Triangle } from './linear-algebra/triangle.ts'
export { standardNormal } from './normal.ts'
export {
  add,
  ceil,
  compare,
  divide,
  equals,
  floor,
  fromNumber,
  gcd,
  multiply,
  negate,
  one,
  parseRational,
  type Rational,
  rational,
  subtract,
  toNumber,
  toText,
  zero,
} from './rational.ts'
export { repeatable, seededWords, uniformOf } from './seeded.ts'
export { type Spans, spansAt, spansOf, spansSize } from './spans.ts'
export { offsets, outer, strides } from './strides.ts'
