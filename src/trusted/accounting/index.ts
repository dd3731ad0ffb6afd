export { epsilonAt, leftOf, leftToHold } from './as-epsilon.ts'
export {
  type AnswerCharge,
  type Charge,
  isAnswer,
  type MeasurementCharge,
  measurementCharge,
  type RefinementCharge,
} from './charge.ts'
export { DistanceSensitivities } from './distance-sensitivity.ts'
export { type Held, reachOf, runHold } from './hold.ts'
export { openAccount, type WorstCellAccount } from './open-account.ts'
export {
  distanceSensitivity,
  isPublic,
  price,
  priceInBoth,
  scaleFor,
  type Terms,
  varianceFor,
} from './price.ts'
export { Purse } from './purse.ts'
export { addSpending, type Cap, fits, type Spending, sumSpending, zeroSpending } from './spending.ts'
export { addUnits, capUnits, chargeUnits, type Units, unitsAbove, unitsToNumber, unitsToRational } from './units.ts'
export { epsilonOfRho, rhoCap } from './zcdp.ts'
