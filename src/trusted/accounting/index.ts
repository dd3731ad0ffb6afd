export type { Account } from './account.ts'
export { epsilonAt, leftOf, leftToHold } from './as-epsilon.ts'
export {
  type AnswerCharge,
  type Charge,
  type ChargeOf,
  isAnswer,
  type MeasurementCharge,
  measurementCharge,
  type RefinementCharge,
  type ScoreCharge,
  type SelectionCharge,
} from './charge.ts'
export { DistanceSensitivities } from './distance-sensitivity.ts'
export { type Held, reachOf, runHold } from './hold.ts'
export { type BestCell, openAccount, type WorstCellAccount } from './open-account.ts'
export {
  type Currency,
  isPublic,
  price,
  priceInBoth,
  scaleFor,
  type Terms,
  varianceFor,
} from './price.ts'
export { Purse } from './purse.ts'
export { range, sensitivity } from './sensitivity.ts'
export { addSpending, type Cap, fits, type Spending, sumSpending, zeroSpending } from './spending.ts'
export { addUnits, capUnits, chargeUnits, type Units, unitsAbove, unitsToNumber, unitsToRational } from './units.ts'
export { epsilonOfRho, rhoCap } from './zcdp.ts'
