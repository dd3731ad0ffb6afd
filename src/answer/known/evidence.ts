import {
  cellQuery,
  chanceOfDisagreement,
  chanceOfGroupDisagreement,
  type Evidence,
  evidenceOf,
  type FlatBelief,
  flatBelief,
  lawOf,
  mostAnswers,
  retellingsOf,
  type ScalarAnswer,
} from '../../inference/index.ts'
import type { LinearQuery, Measurement } from '../../query/index.ts'
import { ReleaseIndex } from '../release-index.ts'
import type { Session } from '../session.ts'
import type { KnownPart } from './known-part.ts'

/** In how many groups the answers themselves are looked at. */
const mostGroups = 20
/** So many noisy numbers are added up to see whether measurements agree about groups: 100 ms at most. */
const mostNumbers = 2 ** 19

/** The noisy answers that the parts of a question were made of, where they are few enough to be looked at one by one. */
export class AnswersBehind {
  readonly #queries: readonly LinearQuery[]
  readonly #parts: readonly KnownPart[]
  readonly #session: Pick<Session, 'book' | 'random'>
  readonly #known = new Map<string, Evidence | undefined>()

  constructor(queries: readonly LinearQuery[], parts: readonly KnownPart[], session: Pick<Session, 'book' | 'random'>) {
    this.#queries = queries
    this.#parts = parts
    this.#session = session
  }

  /** Does a single measurement say it all? Then the law of its error is what is to be believed. */
  isOne(part: number, group: number): boolean {
    return this.#parts[part]!.sources(group).length <= 1
  }

  belief(part: number, group: number): FlatBelief | undefined {
    const evidence = this.#evidence(part, group)
    return evidence && flatBelief(evidence)
  }

  /** How often noise alone makes the answers disagree so much, in any group; undefined if they could not. */
  chance(part: number): number | undefined {
    const evidence = this.#parts[part]!.values.length > 1 || this.isOne(part, 0) ? undefined : this.#evidence(part, 0)
    return evidence ? chanceOfDisagreement(evidence) : this.#chanceInGroups(part)
  }

  /** By what each measurement tells alone, where these are not too many. */
  #chanceInGroups(part: number): number | undefined {
    const ids = this.#sources(part)
    if (ids.size < 2 || ids.size > mostAnswers) return undefined
    const measured = [...ids].map((id) => this.#measurement(id))
    if (measured.reduce((sum, m) => sum + m.values.length, 0) > mostNumbers) return undefined
    const tables = measured.flatMap(({ query, law: noise, values }) => {
      const law = lawOf(noise)
      return law ? [{ query, law, values }] : []
    })
    const retellings = retellingsOf(tables, this.#queries[part]!, this.#session.book.universe)
    return chanceOfGroupDisagreement(retellings)
  }

  #sources(part: number): Set<string> {
    const { values, sources } = this.#parts[part]!
    const ids = new Set<string>()
    let last: readonly { readonly id: string }[] | undefined
    for (let group = 0; group < values.length; group++) {
      const own = sources(group)
      // Most groups are made of the same.
      if (own !== last) for (const { id } of own) ids.add(id)
      last = own
    }
    return ids
  }

  #evidence(part: number, group: number): Evidence | undefined {
    const key = `${part} ${group}`
    if (!this.#known.has(key)) this.#known.set(key, this.#gather(part, group))
    return this.#known.get(key)
  }

  #gather(part: number, group: number): Evidence | undefined {
    const { values, sources } = this.#parts[part]!
    if (values.length > mostGroups || sources(group).length > mostAnswers) return undefined
    const measured = sources(group).map(({ id }) => this.#measurement(id))
    if (measured.reduce((sum, m) => sum + m.values.length, 0) > mostAnswers) return undefined
    const answers = measured.map((m) => this.#numbers(m))
    if (!answers.every((numbers) => numbers !== undefined)) return undefined
    const query = this.#queries[part]!
    const { universe } = this.#session.book
    const question = query.by.length === 0 ? query : cellQuery(query, universe, group)
    return evidenceOf(answers.flat(), question, { universe, random: this.#session.random })
  }

  #measurement(id: string): Measurement {
    return ReleaseIndex.of(this.#session.book).measurement(id)!
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
