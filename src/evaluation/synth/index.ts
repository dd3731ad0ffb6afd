export { logisticAccuracy, trainLogistic } from './logistic-regression.ts'
export { openRows } from './open-rows.ts'
export { variationOfModel, variationOfRows } from './variation.ts'
