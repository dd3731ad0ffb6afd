import type { Meter as ReleaseMeter } from '../release/index.ts'
import type { Closing, Meter, Quota } from '../trusted/meter/index.ts'

/** The meter as a release sees it: with the analyst already fixed. */
export const onBehalfOf = (meter: Meter, analyst: Quota | null): ReleaseMeter<Closing> => ({
  measure: (charges) => meter.measure({ charges, analyst, statement: null }),
  openRun: (request) => meter.openRun({ ...request, analyst, statement: null }),
  openDraws: (request) => meter.openDraws({ ...request, analyst, statement: null }),
})
