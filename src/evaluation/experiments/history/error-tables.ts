import {
  type CodedTable,
  generatedTable,
  mixedTable,
  sharedIntegers,
  sharedTable,
  smallTable,
} from '../../marginals/index.ts'
import type { ExperimentOptions } from '../experiment.ts'
import { inventedAdult } from './invented-adult.ts'

/** Tables that the least α of errors was chosen with, and others, to see whether it holds there. */
export function errorTables({ quick, seed }: ExperimentOptions): { readonly [group: string]: readonly CodedTable[] } {
  if (quick) return { 'chosen with': [mixedTable(seed + 4, 2000)], others: [smallTable(seed + 1, 2000)] }
  const present = (tables: readonly (CodedTable | undefined)[]) => tables.filter((table) => table !== undefined)
  return {
    'chosen with': present([
      sharedTable('census_income'),
      transfusion(),
      inventedAdult(20_000, seed + 10),
      mixedTable(seed + 4, 5000),
    ]),
    others: present([
      sharedTable('acs2016'),
      sharedTable('adult_pgm'),
      sharedTable('czech'),
      generatedTable(20_000, seed + 2),
      smallTable(seed + 1, 5000),
      inventedAdult(100_000, seed + 11),
    ]),
  }
}

const transfusion = () =>
  sharedIntegers('transfusion/transfusion.csv', 'transfusion', {
    recency_months: [0, 74, 1],
    frequency_times: [1, 50, 1],
    monetary_cc: [250, 12_500, 250],
    time_months: [2, 98, 1],
    donated_march_2007: [0, 1, 1],
  })
