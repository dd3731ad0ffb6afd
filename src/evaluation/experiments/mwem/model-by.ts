import type { TableModel } from '../../../model/index.ts'
import { fromNumber } from '../../../numeric/index.ts'
import { type MwemRequest, mwem, synthMethodNamed } from '../../../release/index.ts'
import type { CodedTable } from '../../marginals/index.ts'
import type { SeededBits } from '../../seeded.ts'
import { openRows } from '../../synth/index.ts'

/** All of ε for one model, through the shipped meter; add-remove, and n is known, as in the paper. */
const opened = async (table: CodedTable, epsilon: number) => {
  const { context, budget } = await openRows(table, { epsilon: fromNumber(epsilon), neighbours: 'add-remove' })
  return { context, request: { budget, records: { kind: 'known', count: table.rows }, history: [] } as const }
}

export async function modelByMwem(
  table: CodedTable,
  epsilon: number,
  asked: Pick<MwemRequest, 'queries'> & Partial<MwemRequest>,
  { uniform }: SeededBits,
): Promise<TableModel> {
  const { context, request } = await opened(table, epsilon)
  return (await mwem.make({ ...request, ...asked }, { ...context, random: uniform })).model
}

export async function modelByPairs(table: CodedTable, epsilon: number, { uniform }: SeededBits): Promise<TableModel> {
  const { context, request } = await opened(table, epsilon)
  return (await synthMethodNamed('pairs').method.make(request, { ...context, random: uniform })).model
}
