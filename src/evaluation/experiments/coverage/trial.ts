import { ask, plan } from '../../../answer/index.ts'
import { type ErrorLaw, errorLawByCharacteristic, lawOf, type Term } from '../../../inference/index.ts'
import { rational } from '../../../numeric/index.ts'
import { countAll, type LinearQuery, marginal } from '../../../query/index.ts'
import { attribute, universe } from '../../../schema/index.ts'
import { type OpenTable, openTable, statementOf } from '../table.ts'

/** How an answer came about: asked within so much, or relatively, of numbers above the floor and below it. */
export const kinds = ['free', 'fresh', 'combined', 'refined', 'relative', 'below the floor'] as const
export type Kind = (typeof kinds)[number]

export const confidence = 0.95

/** Sums of many noises have laws that are computed sooner: ages enough, and questions that add up half of them or more. */
const oldest = 11
const tiny = universe([
  attribute({ kind: 'integer', name: 'age', low: 0, high: oldest, closed: true }),
  attribute({ kind: 'boolean', name: 'member', closed: true }),
])
const rows = Array.from({ length: 240 }, (_, i) => ({ age: (i * i) % (oldest + 1), member: i % 2 === 0 }))
const ages = (from: number, to: number): LinearQuery => ({
  ...countAll,
  terms: [{ coefficient: 1, factors: { age: { kind: 'interval', from, to } } }],
})
const exactOf = (from: number, to: number) => rows.filter(({ age }) => age >= from && age <= to).length

/** One answer of a history of its own. */
export interface Trial {
  /** Of the answer, from the exact number. */
  readonly error: number
  /** Half the width of its interval. */
  readonly within: number
  /** The most that the law allows the interval to hold the exact number with: what was asked, its steps and its blur. */
  readonly attained: number
  /** The noises that the error is made of, and their law. */
  readonly terms: readonly Term[]
  readonly law: ErrorLaw
}

/** A random history that leads to an answer of this kind, and that answer. */
export async function trial(kind: Kind, random: () => number): Promise<Trial> {
  const make = kind === 'relative' || kind === 'below the floor' ? relative : precise
  for (;;) {
    const made = await make(kind, random)
    // Which way is cheapest is decided by laws and never by noise, so to wait for one favours no error.
    if (made) return made
  }
}

interface Question {
  readonly query: LinearQuery
  readonly exact: number
  readonly session: OpenTable
}

const whole = (random: () => number, from: number, to: number) => from + Math.floor(random() * (to - from + 1))

async function question(random: () => number): Promise<Question> {
  const from = whole(random, 0, 5)
  const to = whole(random, from + 6, oldest)
  const session = await openTable({ rows, universe: tiny, epsilon: rational(1000), random })
  return { query: ages(from, to), exact: exactOf(from, to), session }
}

/** A table or two and ranges that no question asks for, with noise of about this scale. */
async function begin({ meter }: OpenTable, scale: number, random: () => number): Promise<void> {
  const law = () => ({ kind: 'laplace', scale: rational(Math.ceil(100 * scale * (0.5 + random())), 100) }) as const
  const tables = random() < 0.5 ? [['age']] : [['age'], ['age', 'member']]
  const ranges = random() < 0.5 ? [] : [ages(0, 4), ages(6, oldest)]
  const charges = [...tables.map(marginal), ...ranges].map((query) => ({ query, law: law() }))
  await (await meter()).measure({ charges, analyst: null, statement: null })
}

async function precise(kind: Kind, random: () => number): Promise<Trial | undefined> {
  const { query, exact, session } = await question(random)
  const wanted = whole(random, 4, 40)
  const answered = (within: number) => ask(statementOf(query), { kind: 'within', within, confidence }, session)
  if (kind === 'refined') await answered(2 * wanted)
  else if (kind !== 'fresh') await begin(session, wanted * (kind === 'free' ? 0.12 : 0.3), random)
  const answer = await answered(wanted)
  if (answer.kind !== kind) return undefined
  const { estimate, within } = answer as { estimate: number; within: number }
  // The law that the interval came from: the history's, or that of the last measurement alone.
  const [made] = session.knowledge.about(query)!
  const together = made!.errorLaw(wanted / 200)
  const isTogether = Math.abs(together.halfWidth(confidence) - within) <= 1e-9 * within
  const terms = isTogether ? made!.made.coefficients : lastTerms(session)
  const law = isTogether ? together : errorLawByCharacteristic(terms)
  return { error: estimate - exact, within, attained: attained(law, within), terms, law }
}

/**
 * Half of the histories begin with something; the number is a few floors, or less than one. Every answer counts, free or
 * bought, as noise has its say in which it is.
 */
async function relative(kind: Kind, random: () => number): Promise<Trial> {
  const { query, exact, session } = await question(random)
  const share = 0.1 + 0.4 * random()
  const floors = kind === 'relative' ? 1 + 15 * random() : 0.2 + 0.7 * random()
  const wanted = { kind: 'relative', relative: share, floor: exact / floors, confidence } as const
  if (random() < 0.5) await begin(session, wanted.floor * (0.02 + 0.3 * random()), random)
  const known = session.knowledge.about(query)?.[0]
  const purchases = plan(statementOf(query), wanted, session).parts.length
  const before = session.book.releases.length
  const answer = await ask(statementOf(query), wanted, session)
  const { estimate, within } = answer as { estimate: number; within: number }
  const bought = session.book.releases.length - before
  const terms = bought === 0 ? known!.made.coefficients : lastTerms(session)
  const law = bought === 0 ? known!.errorLaw() : errorLawByCharacteristic(terms)
  // The history, or the first of two purchases, is the answer only if its own lower end says that it is precise enough.
  const half = bought === 0 ? within : wanted.floor
  const isChosen = (bought === 0 || bought < purchases) && half > share * wanted.floor
  const least = isChosen ? half / share + half - exact : Number.NEGATIVE_INFINITY
  return { error: estimate - exact, within, attained: attained(law, within, least), terms, law }
}

/** The noise of what was bought last. */
const lastTerms = ({ book }: OpenTable): Term[] => [
  { law: lawOf(book.releases.at(-1)!.measurements[0]!.law)!, coefficient: 1, count: 1 },
]

/** At most Pr(|error| ≤ within), where only an error of at least so much makes an answer. */
export function attained(law: ErrorLaw, within: number, least = Number.NEGATIVE_INFINITY): number {
  const reach = within + law.blur
  const held = law.between(Math.max(-reach, least - law.blur), reach) + law.slack
  // Pr(error ≥ x) = Pr(error ≤ -x)
  const chosen = least === Number.NEGATIVE_INFINITY ? 1 : law.cdf(-least - law.blur) - law.slack
  return held < chosen ? held / chosen : 1
}
