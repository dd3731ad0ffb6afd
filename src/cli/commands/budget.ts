import { type Budget, open } from '../../index.ts'
import { number, table } from '../format.ts'
import type { Output } from '../output.ts'
import type { GlobalOptions } from '../program.ts'

export async function budget(flags: GlobalOptions, out: Output): Promise<void> {
  const data = await open(flags.policy)
  try {
    const value = await data.budget()
    out.result(value, budgetText(value))
  } finally {
    await data.close()
  }
}

export function budgetText(b: Budget): string {
  const row = (name: string, { cap, spent, left }: Pick<Budget, 'cap' | 'spent' | 'left'>) => [
    name,
    number(spent.epsilon),
    number(left.epsilon),
    number(cap.epsilon),
    bar(spent.epsilon / cap.epsilon),
  ]
  return table(
    ['ε', 'spent', 'left', 'cap', ''],
    [row(b.dataset, b), ...b.analysts.map((a) => row(a.name, a))],
    [false, true, true, true, false],
  )
}

const bar = (share: number): string => {
  const full = Math.min(20, Math.round(share * 20))
  return '█'.repeat(full) + '░'.repeat(20 - full)
}
