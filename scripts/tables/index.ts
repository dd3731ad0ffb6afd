import { gaussianMarginalsTable } from './gaussian-marginals.ts'
import type { PageTable } from './page-table.ts'
import { ratioTables } from './ratios.ts'
import { treeTable } from './tree.ts'

/** The tables of the pages that are made again in the long tests. */
export const pageTables: readonly PageTable[] = [...ratioTables, treeTable, gaussianMarginalsTable]
