import { type Attribute, attribute, type Universe, universe } from '../../schema/index.ts'

/** Brazil's states but the Federal District, roughly by population: name, millions of people, region. */
export const states = [
  ['SP', 41, 'southeast'],
  ['MG', 20, 'southeast'],
  ['RJ', 16, 'southeast'],
  ['BA', 14, 'northeast'],
  ['RS', 11, 'south'],
  ['PR', 10.5, 'south'],
  ['PE', 9, 'northeast'],
  ['CE', 8.5, 'northeast'],
  ['PA', 7.6, 'north'],
  ['MA', 6.6, 'northeast'],
  ['SC', 6.2, 'south'],
  ['GO', 6, 'west'],
  ['PB', 3.8, 'northeast'],
  ['ES', 3.5, 'southeast'],
  ['AM', 3.5, 'north'],
  ['RN', 3.2, 'northeast'],
  ['AL', 3.1, 'northeast'],
  ['PI', 3.1, 'northeast'],
  ['MT', 3, 'west'],
  ['MS', 2.4, 'west'],
  ['SE', 2.1, 'northeast'],
  ['RO', 1.6, 'north'],
  ['TO', 1.4, 'north'],
  ['AC', 0.73, 'north'],
  ['AP', 0.67, 'north'],
  ['RR', 0.45, 'north'],
] as const

/** Number of occupations; the first means that a person has none. */
export const occupations = 512

const numbered = (n: number) => `occupation ${String(n).padStart(3, '0')}`
const values = (name: string, list: readonly string[]): Attribute =>
  attribute({ kind: 'values', name, values: list, other: false, closed: true })

/** Nine attributes with the domain sizes of the Brazilian census in Table 4 of the iReduct paper, in its order. */
export const censusAttributes: readonly Attribute[] = [
  attribute({ kind: 'integer', name: 'age', low: 0, high: 100, closed: true }),
  values('gender', ['Female', 'Male']),
  values('marital_status', ['Single', 'Married', 'Separated', 'Widowed']),
  values(
    'state',
    states.map(([name]) => name),
  ),
  values('birth_place', [...states.map(([name]) => name), 'DF', 'Americas', 'Overseas']),
  values('race', ['White', 'Brown', 'Black', 'Asian', 'Indigenous']),
  values('education', ['None', 'Primary', 'Secondary', 'College', 'Postgraduate']),
  values(
    'occupation',
    Array.from({ length: occupations }, (_, n) => numbered(n)),
  ),
  values('class_of_worker', ['Not working', 'Employee', 'Self-employed', 'Unpaid']),
]

export const censusUniverse: Universe = universe(censusAttributes)
