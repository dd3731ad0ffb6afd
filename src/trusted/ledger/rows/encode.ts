import { toText } from '../../../numeric/index.ts'
import { canonicalJson, lawToJson, queryToJson } from '../../../query/index.ts'
import { attributesToJson, type Guard } from '../../../schema/index.ts'
import { encodeIntegers } from './integers.ts'
import { queriesToJson } from './query-list.ts'
import type { PrivacyTerms, Purchase, Row, Sold } from './row.ts'

/** A row as it is stored and hashed: JSON text with sorted keys, and its noisy values as bytes (empty if it has none). */
export interface Encoded {
  readonly body: string
  readonly blob: Uint8Array
}

export type Kind = Row['kind']
export type Of<K extends Kind> = Extract<Row, { kind: K }>

const none = new Uint8Array()

export const encodeRow = (row: Row): Encoded => ({
  body: canonicalJson(rowToJson(row)),
  blob: 'values' in row ? encodeIntegers(row.values) : none,
})

/** Everything of a row but its noisy values. */
export const rowToJson = (row: Row): unknown => ({
  kind: row.kind,
  ...(fields[row.kind] as (row: Row) => object)(row),
})

const fields: { [K in Kind]: (row: Of<K>) => object } = {
  create: (row) => ({
    format: row.format,
    dataset: row.dataset,
    privacy: termsToJson(row.privacy),
    attributes: attributesToJson(row.attributes),
    fingerprint: row.fingerprint,
  }),
  reserve: (row) => ({
    analyst: row.analyst,
    statement: row.statement,
    purchases: row.purchases.map(purchaseToJson),
  }),
  record: (row) => ({ reserve: row.reserve }),
  refine: (row) => ({
    analyst: row.analyst,
    statement: row.statement,
    parent: row.parent,
    law: lawToJson(row.law),
  }),
  'run-open': (row) => ({
    analyst: row.analyst,
    statement: row.statement,
    ...(row.rho ? { rho: toText(row.rho) } : { epsilon: toText(row.epsilon) }),
    queries: queriesToJson(row.queries, row.written),
    grid: row.grid && { first: toText(row.grid.first), step: toText(row.grid.step), count: row.grid.count },
  }),
  'run-close': (row) => ({ open: row.open, purchases: row.purchases.map(soldToJson) }),
  void: (row) => ({ reserve: row.reserve }),
  epoch: (row) => ({ attributes: attributesToJson(row.attributes), fingerprint: row.fingerprint }),
  cap: (row) => ({ epsilon: toText(row.epsilon), delta: toText(row.delta) }),
  guards: (row) => ({ guards: row.guards.map(guardToJson) }),
  restore: (row) => ({
    lost: { seq: row.lost.seq, hash: row.lost.hash },
    epsilon: row.epsilon && toText(row.epsilon),
    rho: row.rho && toText(row.rho),
  }),
}

const purchaseToJson = ({ query, law }: Purchase) => ({ query: queryToJson(query), law: lawToJson(law) })

const soldToJson = (sold: Sold): object => {
  switch (sold.kind) {
    case undefined:
      return purchaseToJson(sold)
    case 'selection': {
      const { kind, candidates, weights, rate } = sold
      return { kind, candidates, weights, rate: toText(rate) }
    }
    case 'score':
      return { kind: sold.kind, query: sold.query, law: lawToJson(sold.law) }
  }
}

const guardToJson = ({ query, within, confidence }: Guard) => ({
  query,
  within: toText(within),
  confidence: toText(confidence),
})

const termsToJson = ({ unit, neighbours, epsilon, delta, composition }: PrivacyTerms) => ({
  unit: unit.kind === 'row' ? { kind: 'row' } : { kind: 'column', column: unit.column, rows: unit.rows },
  neighbours,
  epsilon: toText(epsilon),
  delta: toText(delta),
  composition,
})
