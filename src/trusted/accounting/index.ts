export type { Account, Charge } from './account.ts'
export { capUnits, chargeUnits, type Units, unitsToNumber } from './units.ts'
