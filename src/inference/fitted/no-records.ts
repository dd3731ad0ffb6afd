import { problem } from '../../schema/index.ts'

/** Throws where no records are left to make a model of, whether the number is public or told by noisy answers. */
export function refuseNoRecords(count: number, from: 'public' | 'answers'): void {
  if (count >= 1) return
  throw from === 'public'
    ? problem(
        'not-estimable',
        'the public number of records is 0, and a model needs at least one record',
        'Every count and every sum of an empty table is 0.',
      )
    : problem(
        'not-estimable',
        'according to the released answers, the number of records is below 1, and a table needs at least one',
        'Ask for the number of records first: `reticent ask "SELECT COUNT(*) FROM …" --epsilon E`.',
      )
}
