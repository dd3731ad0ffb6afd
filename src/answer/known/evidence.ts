import {
  cellQuery,
  chanceOfDisagreement,
  type Evidence,
  evidenceOf,
  type FlatBelief,
  flatBelief,
  lawOf,
  mostAnswers,
  type ScalarAnswer,
} from '../../inference/index.ts'
import type { LinearQuery, Measurement } from '../../query/index.ts'
import type { Session } from '../session.ts'
import type { KnownPart } from './known-part.ts'

/** In how many groups the answers themselves are looked at. */
const mostGroups = 20

/** The noisy answers that the parts of a question were made of, where they are few enough to be looked at one by one. */
export class AnswersBehind {
  readonly #queries: readonly LinearQuery[]
  readonly #parts: readonly KnownPart[]
  readonly #session: Pick<Session, 'book' | 'random'>
  readonly #measured: ReadonlyMap<string, Measurement>
  readonly #known = new Map<string, Evidence | undefined>()

  constructor(queries: readonly LinearQuery[], parts: readonly KnownPart[], session: Pick<Session, 'book' | 'random'>) {
    this.#queries = queries
    this.#parts = parts
    this.#session = session
    const all = session.book.releases.flatMap(({ measurements }) => measurements)
    this.#measured = new Map(all.map((m) => [m.id, m]))
  }

  /** Does a single measurement say it all? Then the law of its error is what is to be believed. */
  isOne(part: number, group: number): boolean {
    return this.#parts[part]!.sources(group).length <= 1
  }

  belief(part: number, group: number): FlatBelief | undefined {
    const evidence = this.#evidence(part, group)
    return evidence && flatBelief(evidence, this.#session.random)
  }

  /** How often noise alone makes the answers disagree so much; undefined where they could not. */
  chance(part: number, group: number): number | undefined {
    const evidence = this.isOne(part, group) ? undefined : this.#evidence(part, group)
    return evidence && chanceOfDisagreement(evidence, this.#session.random)
  }

  #evidence(part: number, group: number): Evidence | undefined {
    const key = `${part} ${group}`
    if (!this.#known.has(key)) this.#known.set(key, this.#gather(part, group))
    return this.#known.get(key)
  }

  #gather(part: number, group: number): Evidence | undefined {
    const { values, sources } = this.#parts[part]!
    const measured = sources(group).map(({ id }) => this.#measured.get(id)!)
    const size = measured.reduce((sum, m) => sum + m.values.length, 0)
    if (values.length > mostGroups || size > mostAnswers) return undefined
    const answers = measured.map((m) => this.#numbers(m))
    if (!answers.every((numbers) => numbers !== undefined)) return undefined
    const query = this.#queries[part]!
    const { universe } = this.#session.book
    const question = query.by.length === 0 ? query : cellQuery(query, universe, group)
    return evidenceOf(answers.flat(), question, { universe, random: this.#session.random })
  }

  #numbers({ query, law: noise, values }: Measurement): ScalarAnswer[] | undefined {
    const { universe } = this.#session.book
    const law = lawOf(noise)
    if (!law || law.kind === 'continuous-laplace') return undefined
    return Array.from({ length: values.length }, (_, cell) => ({
      query: query.by.length === 0 ? query : cellQuery(query, universe, cell),
      value: Number(values[cell]),
      law,
    }))
  }
}
